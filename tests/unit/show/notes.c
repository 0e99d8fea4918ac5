// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the notes of a report, which explain the limits of a measurement. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/harness.h"
#include "user/metric/measurement.h"
#include "user/show/notes.h"
#include "user/show/show.h"

static char noted[4096]; /* collects the notes of a report in a text, one per line */

static void add_note(void *arg, const char *text)
{
	strcat(strcat(noted, text), "\n");
}

static struct tracer_options options = { .layers = 1 << LAYER_VFS | 1 << LAYER_DEVICE };

/* Returns true if the report, with @left processes still running, has the note @text. */
static bool notes(const struct measurement *m, int left, const char *text)
{
	const struct report r = { .m = m, .options = &options, .left = left };
	char line[600];

	*noted = '\0';
	report_notes(&r, add_note, NULL);
	snprintf(line, sizeof(line), "%s\n", text);
	return strstr(noted, line);
}

TEST(one_is_singular_and_two_are_plural)
{
	struct measurement m = { .in_flight = 1, .notes = { .other_groups = 1 } };

	m.losses[0] = (struct loss){ .name = "aio_events", .n = 1 };
	EXPECT_TRUE(notes(&m, 1,
			  "1 process of the command is still running; later I/O is not counted"));
	EXPECT_TRUE(notes(&m, 1, "device: 1 access in flight at the end is not counted"));
	EXPECT_TRUE(notes(
		&m, 1,
		"app, vfs: T is an upper bound, iospan did not see the end of 1 ring request"));
	EXPECT_TRUE(notes(&m, 1,
			  "device: 1 cgroup without a row: the I/O counts in the parents and in "
			  "'(other)'; raise --max-groups"));
	m.in_flight = m.notes.other_groups = m.losses[0].n = 2;
	EXPECT_TRUE(notes(
		&m, 2, "2 processes of the command are still running; later I/O is not counted"));
	EXPECT_TRUE(notes(&m, 2, "device: 2 accesses in flight at the end are not counted"));
	EXPECT_TRUE(notes(
		&m, 2,
		"app, vfs: T is an upper bound, iospan did not see the end of 2 ring requests"));
	EXPECT_TRUE(notes(&m, 2,
			  "device: 2 cgroups without a row: the I/O counts in the parents and in "
			  "'(other)'; raise --max-groups"));
}

/* Some reads were charged to a parent cgroup. If they are 1 % or more of all reads, the report must
 * have a note about them. If they are fewer, only --verbose prints the note. */
TEST(a_few_reads_of_a_parent_are_a_limit)
{
	static const char text[] = "device: besides 200 reads counted, up to 2 may be missing: the "
				   "kernel charged them to a parent cgroup; another program may "
				   "have made them";
	struct disk_sum disk = { .ops[OP_READ].row.accesses = 200 };
	struct measurement m = { .disks = &disk, .disks_n = 1, .notes.charged_above = 2 };
	const struct report r = { .m = &m, .options = &options };

	EXPECT_TRUE(notes(&m, 0, text));
	m.notes.charged_above = 1;
	notes(&m, 0, "");
	EXPECT_TRUE(!strstr(noted, "parent cgroup"));
	*noted = '\0';
	report_limits(&r, add_note, NULL);
	EXPECT_TRUE(strstr(noted, "up to 1 may be missing: the kernel charged it to"));
}

/* In an interval with losses, iospan stat prints one line with all of them. In an interval without
 * losses, it must print no line. */
TEST(losses_of_an_interval_are_one_line)
{
	struct measurement m = {
		.losses = { { "completions", 2 }, { "issues", 0 }, { "missed_runs", 1 } }
	};
	struct sum *device = &m.layers[LAYER_DEVICE];
	char *line = show_losses_line(&m);

	EXPECT_STR(line,
		   "lost: 2 device completions never seen (T repaired: the ends are "
		   "estimated); 1 run of our programs left out by the kernel");
	free(line);
	sum_set_span(device, 1000, 2000);
	device->repaired_ns = 20;
	device->has_repaired = true;
	line = show_losses_line(&m);
	EXPECT_TRUE(strstr(line, "; estimated part of T: device 2 %") != NULL);
	free(line);
	m.losses[0].n = m.losses[2].n = 0;
	line = show_losses_line(&m);
	EXPECT_STR(line, "");
	free(line);
}

#define STACKED "device: disks marked * are stacked and not in the total"

/* The I/O of a stacked disk is in no row of a cgroup or process. If the report has a stacked disk,
 * a note must say so. */
TEST(stacked_disks_are_in_no_row)
{
	struct disk_sum disk = { .name = "dm-0", .stacked = true };
	struct measurement m = { .disks = &disk, .disks_n = 1 };

	m.layers[LAYER_DEVICE].row.accesses = 1; /* on a disk that is not stacked */
	disk.all.row.accesses = disk.ops[OP_READ].row.accesses = 1;
	EXPECT_TRUE(notes(&m, 0, STACKED));
	options.per_cgroup = true;
	EXPECT_TRUE(notes(&m, 0, STACKED ", nor in the rows of cgroups"));
	options.per_process = true;
	EXPECT_TRUE(notes(&m, 0, STACKED ", nor in the rows of processes"));
	disk.stacked = false;
	EXPECT_TRUE(!notes(&m, 0, STACKED ", nor in the rows of processes"));
	EXPECT_TRUE(!notes(&m, 0, ONLY_STACKED_NOTE));
	disk.stacked = true;
	m.layers[LAYER_DEVICE].row.accesses = 0;
	EXPECT_TRUE(notes(&m, 0, ONLY_STACKED_NOTE));
}

static bool is_lost(const char *name, u64 n, const char *wanted)
{
	char *found = loss_text(name, n);
	bool same = !strcmp(found, wanted);

	free(found);
	return same;
}

TEST(one_loss_is_singular)
{
	EXPECT_TRUE(is_lost("call_ends", 1, "1 call not counted: its end was not seen"));
	EXPECT_TRUE(is_lost("call_ends", 2, "2 calls not counted: their end was not seen"));
	EXPECT_TRUE(is_lost("bad_lines", 1, "1 line could not be read and was skipped"));
	EXPECT_TRUE(is_lost("of another program", 1, "of another program: 1"));
}

static bool has_percent(u64 n, u64 accesses, const char *wanted)
{
	char *text = show_loss_text(&(struct loss){ "completions", n }, accesses);
	bool found = strstr(text, wanted);

	free(text);
	return found;
}

TEST(percentages_have_no_exponent)
{
	EXPECT_TRUE(has_percent(3, 10000000, "), less than 0.01 % of the accesses"));
	EXPECT_TRUE(has_percent(1, 10000, "), 0.01 % of the accesses"));
	EXPECT_TRUE(has_percent(123, 1000, "), 12 % of the accesses"));
	EXPECT_TRUE(has_percent(994, 1000, "), 99 % of the accesses"));
	EXPECT_TRUE(has_percent(995, 1000, "), 100 % of the accesses"));
	EXPECT_TRUE(has_percent(3000, 1000, "), 100 % of the accesses"));
}

TEST_MAIN
