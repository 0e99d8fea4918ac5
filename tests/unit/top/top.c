// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which rows `iospan top` shows, their order, and its keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/top/top-keys.h"
#include "tests/lib/harness.h"
#include "user/metric/measurement.h"

/* Busy time and sum of latencies of cgroups in an interval of 10 ms. */
static const struct {
	const char *path;
	unsigned busy_ms, latency_ms;
} groups[] = {
	{ "/", 10, 10 }, { "/a", 5, 5 }, { "/b", 0, 0 }, { "/b/c", 7, 21 }, { "/d", 2, 8 },
};
#define GROUPS (sizeof(groups) / sizeof(*groups))

static struct measurement *made(void)
{
	struct measurement *m = calloc(1, sizeof(*m));

	m->elapsed_ns = 10000000;
	m->groups = calloc(GROUPS, sizeof(*m->groups));
	m->groups_n = GROUPS;
	for (size_t i = 0; i < GROUPS; i++) {
		struct group_sum *g = &m->groups[i];

		g->path = strdup(groups[i].path);
		g->device.row.accesses = g->device.row.timed = 1;
		g->device.row.latency_ns = groups[i].latency_ms * 1000000;
		sum_set_span(&g->device, groups[i].busy_ms * 1000000, m->elapsed_ns);
	}
	return m;
}

static struct measurement *m;
static struct top_view v;

static char *names(void)
{
	char *all = calloc(1, 1000);

	for (unsigned i = v.first; i < v.n; i++) {
		char *name = top_row_name(&v.list[i]);

		strcat(strcat(all, name), " ");
		free(name);
	}
	return all;
}

static void press(const char *keys)
{
	for (; *keys; keys++)
		top_key(&v, *keys);
}

#define EXPECT_NAMES(expected) \
	do { \
		char *seen = names(); \
\
		EXPECT_STR(seen, expected); \
		free(seen); \
	} while (0)

static const struct tracer_options options = { .layers = 1 << LAYER_DEVICE };

static void begin(void)
{
	m = made();
	v = (struct top_view){ .rows = TOP_GROUPS, .sort = top_column_named("busy"), .page = 2 };
	v.report = (struct report){ .m = m, .options = &options };
	top_view_list(&v);
}

static void end(void)
{
	top_view_release(&v);
	measurement_free(m);
}

/* Rows without a value come last, in ascending and in descending order. */
TEST(rows_are_sorted)
{
	begin();
	EXPECT_NAMES("/b/c /a /d /b ");
	press("r");
	EXPECT_NAMES("/b /d /a /b/c ");
	press("o");
	EXPECT_NAMES("/a /b/c /d /b ");
	press("r");
	EXPECT_NAMES("/d /b/c /a /b ");
	press("n");
	EXPECT_NAMES("/a /b /b/c /d ");
	press("<<>");
	EXPECT_EQ(v.sort, 1);
	press(">>>>>>>>>>>>>>>");
	EXPECT_EQ(v.sort, TOP_COLUMNS - 1);
	end();
}

TEST(a_filter_is_typed)
{
	begin();
	press("/B");
	EXPECT_NAMES("/b/c /b ");
	press("?c");
	EXPECT_NAMES("/b/c ");
	top_key(&v, TOP_ERASE);
	top_key(&v, TOP_ENTER);
	EXPECT_STR(v.filter, "B?");
	press("fq");
	top_key(&v, TOP_ESCAPE);
	EXPECT_STR(v.filter, "B?");
	press("f");
	for (int i = 0; i < TOP_FILTER + 10; i++)
		press("x");
	EXPECT_EQ(strlen(v.filter), TOP_FILTER - 1);
	EXPECT_EQ(v.n, 0);
	for (int i = 0; i < TOP_FILTER + 10; i++)
		top_key(&v, TOP_ERASE);
	EXPECT_EQ(v.n, 4);
	end();
}

TEST(escape_shows_all_rows_again)
{
	begin();
	press("/c");
	top_key(&v, TOP_ENTER);
	EXPECT_NAMES("/b/c ");
	press("h");
	top_key(&v, TOP_ESCAPE); /* closes only the help; the filter stays */
	EXPECT_NAMES("/b/c ");
	top_key(&v, TOP_ESCAPE);
	EXPECT_NAMES("/b/c /a /d /b ");
	end();
}

TEST(only_the_first_rows_are_listed)
{
	begin();
	v.most = 3;
	top_view_list(&v);
	EXPECT_NAMES("/b/c /a /d ");
	EXPECT_EQ(v.matching, 4);
	end();
}

/* The writes of a cgroup are those of all its disks that are not stacked. */
TEST(a_cgroup_has_columns_of_operations)
{
	const struct top_column *write = &top_columns[top_column_named("write")];
	struct group_part parts[] = {
		{ .layer = LAYER_VFS, .op = OP_WRITE, .accesses = 1, .bytes = 10000 },
		{ .layer = LAYER_DEVICE, .dev = 1, .op = OP_READ, .accesses = 1, .bytes = 2000 },
		{ .layer = LAYER_DEVICE, .dev = 1, .op = OP_WRITE, .accesses = 1, .bytes = 300 },
		{ .layer = LAYER_DEVICE, .dev = 2, .op = OP_WRITE, .accesses = 1, .bytes = 40 },
		{ .layer = LAYER_DEVICE,
		  .dev = 3,
		  .op = OP_WRITE,
		  .accesses = 1,
		  .bytes = 5,
		  .stacked = true },
	};
	struct group_sum group = { .parts = parts,
				   .parts_n = sizeof(parts) / sizeof(*parts),
				   .device.elapsed_ns = 1000000000 };
	struct top_row row = { .group = &group, .sums[LAYER_DEVICE] = &group.device };

	EXPECT_EQ(top_number(write, &row), 340);
	group.parts_n = 2;
	EXPECT_EQ(top_number(write, &row), 0);
	row.sums[LAYER_DEVICE] = NULL;
	EXPECT_TRUE(isnan(top_number(write, &row)));
}

/* A cgroup may write fewer bytes at the vfs layer than at the device layer, for instance if it
 * syncs pages that another cgroup wrote. Then its row must have no amplification. */
TEST(bytes_with_another_cause_have_no_amplification)
{
	const struct top_column *amplification = &top_columns[TOP_AMPLIFICATION];
	struct sum vfs = { .row = { .accesses = 1, .bytes = 512 } }, device = {};
	struct top_row row = { .sums = { [LAYER_VFS] = &vfs, [LAYER_DEVICE] = &device } };

	device.row.bytes = 2048 + (1 << 20);
	EXPECT_EQ(top_number(amplification, &row), 2052);
	device.row.bytes++;
	EXPECT_TRUE(isnan(top_number(amplification, &row)));
	vfs.row.bytes = 0;
	EXPECT_TRUE(isnan(top_number(amplification, &row)));
	row.sums[LAYER_VFS] = NULL;
	EXPECT_TRUE(isnan(top_number(amplification, &row)));
}

/* Rows of disks have no columns of the vfs layer. */
TEST(columns_depend_on_the_rows)
{
	const struct top_column *sync = &top_columns[top_column_named("sync-p99")];
	const struct tracer_options both = { .layers = 1 << LAYER_VFS | 1 << LAYER_DEVICE };
	struct top_row row = {};

	v = (struct top_view){ .rows = TOP_DISKS, .sort = top_column_named("write") };
	v.report.options = &both;
	EXPECT_TRUE(!top_has_column(&v, sync));
	EXPECT_TRUE(top_has_column(&v, &top_columns[v.sort]));
	EXPECT_TRUE(!top_has_column(&v, &top_columns[TOP_AMPLIFICATION]));
	press("<<<<<");
	EXPECT_STR(top_columns[v.sort].word, "concurrency");
	press("<<");
	EXPECT_STR(top_columns[v.sort].word, "bps");
	v.rows = TOP_GROUPS;
	press("<");
	EXPECT_STR(top_columns[v.sort].word, "bps-vfs");
	EXPECT_TRUE(top_has_column(&v, &top_columns[top_column_named("write")]));
	EXPECT_TRUE(top_has_column(&v, sync));
	v.report.options = &options;
	EXPECT_TRUE(!top_has_column(&v, sync));
	EXPECT_EQ(top_column_named("IOPS"), top_column_named("iops"));
	EXPECT_EQ(top_column_named("T"), top_column_named("span"));
	EXPECT_EQ(top_column_named("nosuch"), -EUSAGE);
	EXPECT_EQ(top_column_named("process"), TOP_NAME);
	EXPECT_EQ(top_column_named("ARPT(ms)"), top_column_named("arpt"));
	for (int i = 0; i < 2 * TOP_COLUMNS; i++) {
		char buf[NUM_TEXT];

		v.human = i % 2;
		EXPECT_EQ(top_column_named(top_title(buf, &v, &top_columns[i / 2])), i / 2);
	}
	EXPECT_TRUE(!top_is_busy(&top_columns[top_column_named("busy")], &row));
}

/* Returns the lines above the table on a screen of @columns, until the next call. */
static char *head(unsigned columns)
{
	static char text[4096];
	FILE *f = fmemopen(text, sizeof(text), "w");

	v.columns = columns;
	top_head(f, &v);
	fclose(f);
	return text;
}

TEST(the_head_fits_on_the_screen)
{
	begin();
	for (unsigned columns = 6; columns < 200; columns += 13) {
		char *text = head(columns), *line = strchr(text, '\n') + 1;

		*strchr(line, '\n') = '\0';
		EXPECT_LE(strlen(line), columns);
		EXPECT_EQ(strstr(line, "bandwidth") != NULL, columns >= 45);
	}
	top_view_release(&v);
	measurement_free(m);
}

static bool head_has(const char *text)
{
	return strstr(head(200), text);
}

TEST(the_selected_row_has_its_neighbours)
{
	begin();
	for (unsigned i = 0; i < GROUPS; i++)
		m->groups[i].id = i + 1;
	top_key(&v, TOP_DOWN);
	EXPECT_EQ(v.selected, v.list[0].group->id);
	EXPECT_EQ(head_has(": its neighbours are measured in the next interval"), true);
	v.selected_cuts = 2;
	EXPECT_EQ(head_has("itself has no reads or writes on a disk"), true);
	m->groups[v.selected - 1].joint_ns = 400;
	EXPECT_EQ(head_has("selected cgroup shares its disks with no other\n"), true);
	for (unsigned i = 0; i < GROUPS; i++)
		if (i + 1 != v.selected)
			m->groups[i].joint_ns = 50 + i;
	EXPECT_EQ(head_has(" % of its time with "), true);
	top_key(&v, TOP_DOWN);
	top_key(&v, TOP_DOWN);
	EXPECT_EQ(v.selected, v.list[2].group->id);
	EXPECT_EQ(v.first, 1);
	top_key(&v, TOP_ESCAPE);
	EXPECT_EQ(v.selected, 0);
	end();
}

TEST(pages_end_with_the_rows)
{
	begin();
	top_key(&v, TOP_PAGE_UP);
	EXPECT_EQ(v.first, 0);
	top_key(&v, TOP_PAGE_DOWN);
	EXPECT_EQ(v.first, 2);
	top_key(&v, TOP_HOME);
	top_key(&v, TOP_END);
	EXPECT_EQ(v.first, 2);
	top_view_page(&v, 3);
	EXPECT_EQ(v.first, 1);
	top_view_page(&v, 0);
	top_key(&v, TOP_END);
	EXPECT_EQ(v.first, 3);
	top_view_page(&v, 1000);
	EXPECT_EQ(v.first, 0);
	EXPECT_TRUE(!top_key(&v, 'q'));
	end();
}

/* The lines above the table must show only the losses of the current interval. If the table has no
 * rows, they must show the reason. */
TEST(head_has_the_losses_of_the_interval_and_the_reason_for_no_rows)
{
	const struct tracer_options options = { .layers = 1 << LAYER_DEVICE };
	struct measurement *all = made();
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	begin();
	all->losses[0] = (struct loss){ "completions", 18 };
	all->losses[1] = (struct loss){ "issues", 7 };
	m->losses[0] = (struct loss){ "completions", 11 };
	m->losses[1] = all->losses[1];
	v.report.m = measurement_since(all, m);
	((struct measurement *)v.report.m)->unmatched = strdup("no cgroup matches");
	v.report.options = &options;
	top_head(f, &v);
	fclose(f);
	EXPECT_TRUE(strstr(text, "  lost: 7 device completions never seen") != NULL);
	EXPECT_TRUE(!strstr(text, "unseen start"));
	EXPECT_TRUE(strstr(text, "\nno cgroup matches\n") != NULL);
	free(text);
	measurement_free((struct measurement *)v.report.m);
	measurement_free(all);
	end();
}

TEST_MAIN
