// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the counters every 3 ms during a load, as `iospan stat` does for its intervals. The sums of
 * all intervals must equal a measurement over the whole time. */
#include <stdio.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/kernel/feature.h"
#include "user/kernel/interval.h"
#include "user/session/command.h"
#include "tests/lib/harness.h"
#include "user/metric/measurement.h"

#define CUT_NS 3000000ULL

struct added {
	u64 accesses, bytes, span_ns, latency_ns, timed, in_hist;
	u64 vfs_accesses, vfs_span_ns, disk_span_ns, write_span_ns, group_span_ns, group_accesses;
	u64 group_vfs_accesses, group_vfs_span_ns, part_accesses, part_bytes, part_span_ns;
};

static struct cutting {
	struct cuts cuts;
	struct added added;
	u64 n, in_flight;
	u64 end_ns;
} c;

static void add_parts(struct added *a, const struct group_sum *g)
{
	for (unsigned i = 0; i < g->parts_n; i++) {
		a->part_accesses += g->parts[i].accesses;
		a->part_bytes += g->parts[i].bytes;
		a->part_span_ns += g->parts[i].span_ns;
	}
}

static void add(struct added *a, const struct measurement *m)
{
	const struct sum *s = &m->layers[LAYER_DEVICE];

	a->accesses += s->row.accesses;
	a->bytes += s->row.bytes;
	a->span_ns += s->span_ns;
	a->latency_ns += s->row.latency_ns;
	a->timed += s->row.timed;
	for (int i = 0; i < HIST_BUCKETS; i++)
		a->in_hist += s->row.hist[i];
	a->vfs_accesses += m->layers[LAYER_VFS].row.accesses;
	a->vfs_span_ns += m->layers[LAYER_VFS].span_ns;
	for (unsigned i = 0; i < m->disks_n; i++) {
		a->disk_span_ns += m->disks[i].all.span_ns;
		a->write_span_ns += m->disks[i].ops[OP_WRITE].span_ns;
	}
	for (unsigned i = 0; i < m->groups_n; i++) {
		a->group_accesses += m->groups[i].device.row.accesses;
		a->group_span_ns += m->groups[i].device.span_ns;
		a->group_vfs_accesses += m->groups[i].vfs.row.accesses;
		a->group_vfs_span_ns += m->groups[i].vfs.span_ns;
		add_parts(a, &m->groups[i]);
	}
}

static void cut(void *unused)
{
	struct measurement *m;

	tracer_poll(c.cuts.tracer);
	ASSERT_EQ(cuts_next(&c.cuts, &m), 0);
	EXPECT_EQ(m->begin_ns, c.end_ns);
	c.end_ns = m->begin_ns + m->elapsed_ns;
	c.n++;
	c.in_flight += m->in_flight > 0;
	add(&c.added, m);
	measurement_free(m);
}

static void expect_whole(const struct measurement *m)
{
	struct added whole = {};

	add(&whole, m);
	EXPECT_EQ(c.added.accesses, whole.accesses);
	EXPECT_EQ(c.added.bytes, whole.bytes);
	EXPECT_EQ(c.added.span_ns, whole.span_ns);
	EXPECT_EQ(c.added.latency_ns, whole.latency_ns);
	EXPECT_EQ(c.added.timed, whole.timed);
	EXPECT_EQ(c.added.in_hist, whole.in_hist);
	EXPECT_EQ(c.added.vfs_accesses, whole.vfs_accesses);
	EXPECT_EQ(c.added.vfs_span_ns, whole.vfs_span_ns);
	EXPECT_EQ(c.added.disk_span_ns, whole.disk_span_ns);
	EXPECT_EQ(c.added.write_span_ns, whole.write_span_ns);
	EXPECT_EQ(c.added.group_accesses, whole.group_accesses);
	EXPECT_EQ(c.added.group_span_ns, whole.group_span_ns);
	EXPECT_EQ(c.added.group_vfs_accesses, whole.group_vfs_accesses);
	EXPECT_EQ(c.added.group_vfs_span_ns, whole.group_vfs_span_ns);
	EXPECT_EQ(c.added.part_accesses, whole.part_accesses);
	EXPECT_EQ(c.added.part_bytes, whole.part_bytes);
	EXPECT_EQ(c.added.part_span_ns, whole.part_span_ns);
	EXPECT_GE(whole.part_accesses, whole.group_accesses + whole.group_vfs_accesses);
}

static void watch(struct session *s, struct tracer *t, char **argv)
{
	struct measurement *whole;
	bool runs_on;
	u64 start;

	ASSERT_EQ(command_spawn(s, argv, -1, NULL), 0);
	start = now_ns();
	ASSERT_EQ(cuts_begin(&c.cuts, t), 0);
	c.end_ns = c.cuts.last->begin_ns + c.cuts.last->elapsed_ns;
	ASSERT_EQ(command_go(s, argv[0]), 0);
	EXPECT_EQ(command_wait(s, cut, NULL, CUT_NS, &runs_on), 0);
	ASSERT_EQ(tracer_measure(t, start, &whole), 0);
	cut(NULL);
	EXPECT_GE(c.added.accesses, 100);
	EXPECT_GE(c.n, 10);
	EXPECT_GE(c.in_flight, 5);
	expect_whole(whole);
	measurement_free(whole);
	cuts_end(&c.cuts);
}

TEST(intervals_add_up_to_the_whole)
{
	char file[4096], load[8192];
	char *argv[] = { "sh", "-c", load, NULL };
	struct tracer_options o = {
		.layers = 1 << LAYER_DEVICE | 1 << LAYER_VFS,
		.per_cgroup = true,
		.max_groups = 16,
		.per_part = true,
	};
	struct tracer *t = NULL;
	struct session s = {};

	NEEDS(!geteuid() && !features_check(), "needs root and a kernel that can be measured");
	snprintf(file, sizeof(file), "%s/file", scratch_dir());
	snprintf(load, sizeof(load),
		 "for i in 1 2 3; do dd if=/dev/zero of=%s$i bs=1M count=60 "
		 "oflag=direct status=none & done; wait",
		 file);
	ASSERT_EQ(session_begin(&s, NULL, CHARGE_AUTO, 0), 0);
	session_target(&s, &o);
	ASSERT_EQ(tracer_new(&o, &t), 0);
	watch(&s, t, argv);
	session_end(&s);
	tracer_free(t);
}

TEST_MAIN
