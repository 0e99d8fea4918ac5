// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the disks in the exporter's document, and the burstiness of the disks together. For the
 * exporter, a disk with the name "." exists, because /sys/block/. exists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/exporter/made-exporter.h"

#define DISK(name) "iospan_device_accesses_total{device=\"" name "\",dev=\"0:1\",stacked=\"no\"}"
#define ON_DISK(path, id, name) \
	"iospan_accesses_total" LABELS(path, id) ",device=\"" name "\",op=\"read\"}"
#define ALONE(path, id, name) \
	"iospan_cgroup_alone_seconds_total" OF(path, id) ",device=\"" name "\"}"

/* The series of a removed disk stay for keep_ns, as those of a removed cgroup do. The sums of a
 * cgroup must include the I/O on the disk even after that. */
TEST(removed_disks_stay_for_a_time)
{
	struct exporter *e = exporter_with(10, 1000);
	struct disk_sum disk = { .name = "no/such", .dev = 1 };
	struct group_part part = { .layer = LAYER_DEVICE, .dev = 1, .op = OP_READ, .accesses = 5 };

	disk.all.row.accesses = 5;
	for (u64 now = 1; now <= 11; now += 5) {
		struct group_sum *g;

		at(now);
		made.m.disks = &disk;
		made.m.disks_n = 1;
		g = add(2, "/", 5, 50);
		g->parts = &part;
		g->parts_n = 1;
		exporter_update(e, &made.m);
		EXPECT_EQ(value(e, DISK("no/such")), now < 11 ? 5 : -1);
		EXPECT_EQ(value(e, ON_DISK("/", "2", "no/such")), now < 11 ? 5 : -1);
		EXPECT_EQ(value(e, GROUP("/", "2")), 5);
	}
	exporter_free(e);
}

/* The kernel may give the device number of a removed disk to another disk. Here, the disk "no/such"
 * was removed, and the disk "." has its number. In each sum of a cgroup, the I/O of the two disks
 * must stay separate, even after the series of the removed disk have ended. */
TEST(disks_with_one_number_stay_apart)
{
	struct exporter *e = exporter_with(10, 1000);
	struct disk_sum disks[] = { { .name = ".", .dev = 1 }, { .name = "no/such", .dev = 1 } };
	struct group_part parts[] = {
		{ .layer = LAYER_DEVICE, .dev = 1, .disk = 0, .op = OP_READ, .accesses = 5 },
		{ .layer = LAYER_DEVICE, .dev = 1, .disk = 1, .op = OP_READ, .accesses = 3 },
	};
	struct disk_share shares[] = {
		{ .dev = 1, .disk = 0, .is_known = true, .span_ns = 7 * S, .shared_ns = S },
		{ .dev = 1, .disk = 1, .is_known = true, .span_ns = 4 * S, .shared_ns = S },
	};

	for (u64 now = 1; now <= 11; now += 10) {
		struct group_sum *g;

		at(now);
		made.m.disks = disks;
		made.m.disks_n = 2;
		g = add(2, "/", 8, 80);
		g->parts = parts;
		g->shares = shares;
		g->parts_n = g->shares_n = 2;
		exporter_update(e, &made.m);
		EXPECT_EQ(value(e, ON_DISK("/", "2", ".")), 5);
		EXPECT_EQ(value(e, ON_DISK("/", "2", "no/such")), now < 11 ? 3 : -1);
		EXPECT_EQ(value(e, ALONE("/", "2", ".")), 6);
		EXPECT_EQ(value(e, ALONE("/", "2", "no/such")), now < 11 ? 3 : -1);
	}
	exporter_free(e);
}

/* Returns the value of @sample, the name of a metric with its labels, in the document of @e. NaN:
 * the document does not have it. */
static double ratio(struct exporter *e, const char *sample)
{
	size_t size;
	char *text = exporter_text(e, false, &size), *at = strstr(text, sample);
	double v = at ? strtod(at + strlen(sample), NULL) : NAN;

	free(text);
	return v;
}

#define RHO(op) "iospan_burstiness_rho{op=\"" op "\"} "
#define P(op) "iospan_parallel_intensity{op=\"" op "\"} "

/* The metrics must include two disks, but not a stacked disk. Each string of reads[] is for an
 * interval of 10 s: it has the disks that read more than 4096 bytes, the threshold. Each disk also
 * writes 4096 bytes, which does not exceed the threshold. The metrics are those of the last 6
 * intervals. */
TEST(bursts_over_a_window)
{
	static const char *const reads[] = { "a", "", "ab", "", "", "a", "ab", "b", "" };
	const struct exporter_limits limits = { .keep_ns = S,
						.max_series = 1000,
						.bursts = { 10 * S, 60 * S, 4096 } };
	struct exporter *e = exporter_new(1 << LAYER_DEVICE, &limits);
	struct disk_sum disks[3] = { { .name = "a", .dev = 1 }, { .name = "b", .dev = 2 } };

	disks[2] = (struct disk_sum){ .name = "dm-0", .dev = 3, .stacked = true };
	EXPECT_TRUE(isnan(ratio(e, RHO("read"))));
	for (int i = 0; i < 9; i++) {
		for (int d = 0; d < 2; d++) {
			disks[d].ops[OP_READ].row.bytes += strchr(reads[i], "ab"[d]) ? 4097 : 0;
			disks[d].ops[OP_WRITE].row.bytes += 4096;
		}
		disks[2].ops[OP_READ].row.bytes += 1 << 20;
		/* a scrape in the middle of an interval must change nothing */
		for (int half = 1; half <= 2; half++) {
			at(10 * i + 5 * half);
			made.m.disks = disks;
			made.m.disks_n = half == 2 ? 3 : 0;
			exporter_update(e, &made.m);
		}
		if (i == 3) {
			/* In each interval, these disks were busy: a, none, a and b, none. So the
			 * busy periods and the idle periods are 1 interval long on average. In a
			 * busy interval, on average 3/4 of the disks are busy. */
			EXPECT_NEAR(ratio(e, RHO("read")), 1 - tanh(1), 1e-12);
			EXPECT_NEAR(ratio(e, P("read")), 0.5, 1e-12);
			EXPECT_EQ(value(e, "iospan_burst_window_seconds"), 40);
		}
	}
	/* In the last six intervals, these disks were busy: none, none, a, a and b, b, none. So the
	 * busy periods are 3 intervals long on average, and the idle periods 3 / 2. In a busy
	 * interval, on average 2/3 of the disks are busy. */
	EXPECT_NEAR(ratio(e, RHO("read")), 1 - tanh(2), 1e-12);
	EXPECT_NEAR(ratio(e, P("read")), 2 * 2 / 3.0 - 1, 1e-12);
	EXPECT_NEAR(ratio(e, RHO("write")), 1, 1e-12);
	EXPECT_TRUE(isnan(ratio(e, P("write"))));
	EXPECT_EQ(value(e, "iospan_burst_window_seconds"), 60);
	exporter_free(e);
}

/* Disks 0 and 1 exist, because /sys/block/. and /sys/block/.. exist. Disk 2 was removed, and disk 0
 * has its device number. Each string of .busy has the disks that read in an interval. The metrics
 * must include a removed disk until it was idle in a whole window, which is 2 intervals here. */
TEST(bursts_leave_out_removed_disks)
{
	static const struct {
		const char *busy;
		double p;
	} intervals[] = { { "012", 1 }, { "01", 0.75 }, { "01", 1 }, { "", 1 } };
	const struct exporter_limits limits = { .keep_ns = S,
						.max_series = 1000,
						.bursts = { 10 * S, 20 * S, 0 } };
	struct exporter *e = exporter_new(1 << LAYER_DEVICE, &limits);
	struct disk_sum disks[3] = { { .name = ".", .dev = 1 },
				     { .name = "..", .dev = 2 },
				     { .name = "no/such", .dev = 1 } };

	for (int i = 0; i < 4; i++) {
		for (int d = 0; d < 3; d++)
			disks[d].ops[OP_READ].row.bytes +=
				strchr(intervals[i].busy, '0' + d) ? 1 + d : 0;
		at(10 * (i + 1));
		made.m.disks = disks;
		made.m.disks_n = 3;
		exporter_update(e, &made.m);
		EXPECT_NEAR(ratio(e, P("read")), intervals[i].p, 1e-12);
	}
	EXPECT_NEAR(ratio(e, RHO("read")), 1 - tanh(1), 1e-12);
	exporter_free(e);
}

TEST_MAIN
