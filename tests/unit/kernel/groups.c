// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how the counters of cgroups are read from the BPF maps, as totals and for intervals. iospan
 * gives each cgroup a number, which selects its counters. Each counter has copies (stripes) for
 * different CPUs. A part is the counter of a cgroup for one operation on one disk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/kernel/maps.h"
#include "user/metric/measurement.h"
#include "tests/lib/harness.h"
#include "user/kernel/measure-groups.h"

enum { TOP = GROUP_TOP, A, B, BELOW_A, AGAIN, MAX_GROUPS_MADE };

struct made {
	struct maps maps;
	struct cell cells[2];
	struct group groups[MAX_GROUPS_MADE + 1];
	/* Counters of all cgroups at two layers. Each counter has two copies (stripes); a CPU adds
	 * to one of them. */
	struct row rows[2 * GROUPS_OF(MAX_GROUPS_MADE) * GROUP_SETS];
	struct span_total totals[SPAN_CELLS(MAX_GROUPS_MADE)];
	u32 groups_n, cells_n;
};

static struct made *made(void)
{
	static const struct {
		u32 parent;
		const char *name;
	} groups[MAX_GROUPS_MADE] = {
		[A] = { TOP, "a" },
		[B] = { TOP, "b" },
		[BELOW_A] = { A, "x" },
		[AGAIN] = { TOP, "b" },
	};
	struct made *m = calloc(1, sizeof(*m));

	m->maps = (struct maps){
		.cells = m->cells,
		.groups = m->groups,
		.rows = m->rows,
		.group_bits = 1,
		.totals = m->totals,
		.groups_n = &m->groups_n,
		.cells_n = &m->cells_n,
		.max_cells = 2,
		.max_groups = MAX_GROUPS_MADE,
		.per_cgroup = true,
		.vfs_groups = true,
	};
	m->groups_n = MAX_GROUPS_MADE;
	m->cells_n = 2;
	for (u32 i = TOP; i < MAX_GROUPS_MADE; i++) {
		m->groups[i].id = 100 + i;
		m->groups[i].parent = groups[i].parent;
		m->groups[i].level = i == TOP ? 0 : i == BELOW_A ? 2 : 1;
		strcpy(m->groups[i].name, groups[i].name ?: "");
	}
	return m;
}

static void done(struct made *m)
{
	for (u32 i = 0; m->maps.groups_seen && i < GROUP_SETS * GROUPS_OF(MAX_GROUPS_MADE); i++)
		free(m->maps.groups_seen[i]);
	free(m->maps.groups_seen);
	free(m->maps.parts_seen.list);
	free(m);
}

static void work(struct made *m, u32 group, u32 stripe, u64 accesses)
{
	for (u64 i = 0; i < accesses; i++)
		row_add(&m->rows[2 * group + stripe], 512, 1000);
	m->totals[SPAN_GROUP(group)].ns += accesses * 1000;
}

static struct measurement *read_groups(struct made *m, bool cut)
{
	struct measurement *to = calloc(1, sizeof(*to));

	maps_measure_groups(&m->maps, cut, to);
	return to;
}

/* Returns all cgroups with their numbers of accesses, such as "/a 3 /a/x 1 ". The caller frees the
 * text. */
static char *told(struct made *m, bool cut)
{
	struct measurement *to = read_groups(m, cut);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (unsigned i = 0; i < to->groups_n; i++)
		fprintf(f, "%s %llu ", to->groups[i].path,
			(unsigned long long)to->groups[i].device.row.accesses);
	fclose(f);
	measurement_free(to);
	return text;
}

#define EXPECT_GROUPS(m, cut, expected) \
	do { \
		char *seen = told(m, cut); \
\
		EXPECT_STR(seen, expected); \
		free(seen); \
	} while (0)

TEST(a_cut_has_what_came_since_the_last_one)
{
	struct made *m = made();

	EXPECT_GROUPS(m, true, "");
	work(m, BELOW_A, 0, 3);
	work(m, B, 1, 5);
	EXPECT_GROUPS(m, true, "/ 8 /a 3 /a/x 3 /b 5 ");
	EXPECT_GROUPS(m, true, "");
	work(m, A, 0, 1);
	work(m, A, 1, 1);
	EXPECT_GROUPS(m, true, "/ 2 /a 2 ");
	work(m, BELOW_A, 1, 7);
	EXPECT_GROUPS(m, false, "/ 17 /a 12 /a/x 10 /b 5 ");
	EXPECT_GROUPS(m, true, "/ 7 /a 7 /a/x 7 ");
	EXPECT_GROUPS(m, false, "/ 17 /a 12 /a/x 10 /b 5 ");
	done(m);
}

/* A cgroup may have no complete access at the device layer. It must still be listed if it has an
 * access in flight all the time, a lost access, or an access at the vfs layer. */
TEST(whoever_did_something_is_there)
{
	struct made *m = made();
	struct measurement *to;

	EXPECT_GROUPS(m, true, "");
	m->totals[SPAN_GROUP(A)].ns = 4000;
	EXPECT_GROUPS(m, true, "/ 0 /a 0 ");
	m->cells[1] = (struct cell){ .group = B, .group_row = 1, .lost = 2, .lost_bytes = 1024 };
	EXPECT_GROUPS(m, true, "/ 2 /b 2 ");
	EXPECT_GROUPS(m, true, "");
	row_add(&m->rows[2 * GROUP_ROW(MAX_GROUPS_MADE, SET_VFS, BELOW_A)], 4096, 1000);
	to = read_groups(m, true);
	ASSERT_EQ(to->groups_n, 3);
	EXPECT_EQ(to->groups[1].vfs.row.bytes, 4096);
	EXPECT_EQ(to->groups[1].device.row.accesses, 0);
	EXPECT_STR(to->groups[2].path, "/a/x");
	measurement_free(to);
	done(m);
}

/* When a container is created again, its new cgroup has the path of its old cgroup. The report must
 * have a row for each of the two. */
TEST(groups_of_one_path_are_told_apart)
{
	struct made *m = made();
	struct measurement *to;

	work(m, B, 0, 2);
	work(m, AGAIN, 0, 3);
	to = read_groups(m, true);
	ASSERT_EQ(to->groups_n, 3);
	EXPECT_EQ(to->groups[1].id, 100 + B);
	EXPECT_EQ(to->groups[1].device.row.accesses, 2);
	EXPECT_EQ(to->groups[2].id, 100 + AGAIN);
	EXPECT_EQ(to->groups[2].device.row.accesses, 3);
	EXPECT_EQ(to->groups[2].device.span_ns, 3000);
	measurement_free(to);
	done(m);
}

/* When a cgroup is removed, its counters are added to those of its parent. A new cgroup may get the
 * number of the removed cgroup, and so its counters. The old values must not be added to the parent
 * again. */
TEST(a_retired_number_is_reused)
{
	struct made *m = made();

	work(m, BELOW_A, 0, 3);
	work(m, A, 0, 2);
	EXPECT_GROUPS(m, true, "/ 5 /a 5 /a/x 3 ");
	maps_forget_group(&m->maps, BELOW_A);
	work(m, A, 1, 3); /* BELOW_A is removed, so its parent A gets its accesses */
	memset(&m->rows[2 * BELOW_A], 0, 2 * sizeof(*m->rows));
	m->totals[SPAN_GROUP(A)].ns -= 3000;
	m->totals[SPAN_GROUP(BELOW_A)].ns = 0;
	EXPECT_GROUPS(m, true, "");
	strcpy(m->groups[BELOW_A].name, "y");
	work(m, BELOW_A, 0, 1);
	EXPECT_GROUPS(m, true, "/ 1 /a 1 /a/y 1 ");
	done(m);
}

/* A cgroup has a counter (part) for each operation on each disk. Before a new cgroup gets the
 * number of a removed one, the parts of that number must be set to 0. */
TEST(parts_of_a_number_that_is_given_back_begin_anew)
{
	struct numbered_part list[] = {
		{ .group = A, .part = { .op = OP_WRITE, .accesses = 5, .span_ns = 3 } },
		{ .group = B, .part = { .op = OP_WRITE, .accesses = 7 } },
	};
	struct made *m = made();

	m->maps.parts_seen = (struct parts){ list, 2 };
	maps_forget_group(&m->maps, A);
	EXPECT_EQ(list[0].part.accesses, 0);
	EXPECT_EQ(list[0].part.span_ns, 0);
	EXPECT_EQ(list[0].part.op, OP_WRITE);
	EXPECT_EQ(list[1].part.accesses, 7);
	m->maps.parts_seen.list = NULL;
	done(m);
}

/* I/O that belongs to no cgroup has a sum of its own. The topmost cgroup ("/") also includes it. */
TEST(others_have_a_sum_of_their_own)
{
	struct made *m = made();
	struct measurement *to;

	work(m, GROUP_NONE, 1, 4);
	work(m, A, 1, 4);
	measurement_free(read_groups(m, true));
	work(m, GROUP_NONE, 0, 1);
	work(m, A, 0, 1);
	to = read_groups(m, true);
	EXPECT_EQ(to->others.device.row.accesses, 1);
	EXPECT_EQ(to->others.device.span_ns, 1000);
	EXPECT_TRUE(!to->others.path);
	measurement_free(to);
	done(m);
}

TEST_MAIN
