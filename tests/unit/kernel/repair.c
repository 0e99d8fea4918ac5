// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how a repair ends an access with a lost completion, and how a recording stores that access.
 * A span counts T, the time in which any access of a set is in flight. The filter of a recording
 * admits only chosen accesses. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/lost.h"
#include "user/kernel/maps.h"
#include "user/kernel/recorder.h"
#include "user/kernel/repair.h"
#include "user/kernel/median.h"
#include "user/trace/write.h"
#include "tests/lib/harness.h"

#define US 1000ULL
#define GIVEN_UP_NS 61000000000ULL /* after this time, a flush counts as lost */
#define START_NS 1000000000ULL

struct made {
	struct span spans[3];
	struct cell cells[2];
	struct slot slot;
	struct row rows[2];
	struct losses losses;
	u32 none, one, two, three;
	u64 suspect;
	struct maps maps;
};

static struct made *made(void)
{
	struct made *m = calloc(1, sizeof(*m));

	m->one = 1;
	m->two = 2;
	m->maps = (struct maps){
		.spans = m->spans,
		.cells = m->cells,
		.slots = &m->slot,
		.rows = m->rows,
		.losses = &m->losses,
		.suspects = &m->suspect,
		.scan_program = -1,
		.max_cells = 2,
		.max_slots = 1,
		.max_spans = 3,
		.row_groups = 2,
		.max_rows = 2,
		.disks_n = &m->one,
		.slots_n = &m->one,
		.cells_n = &m->two,
		.dead_contexts_n = &m->none,
		.disks = calloc(1, sizeof(struct seen_disk)),
		.app = calloc(1, sizeof(struct app_area)),
		.buckets = calloc(PENDING_BUCKETS, sizeof(struct pending_bucket)),
		.pending = calloc(PENDING_BUCKETS * PENDING_WAYS, sizeof(struct pending)),
	};
	m->maps.disks[0].rows[OP_FLUSH] = 1;
	m->cells[1] = (struct cell){ .group = GROUP_TOP,
				     .op = OP_FLUSH,
				     .row = 1,
				     .span = 1,
				     .parents = { 2 } };
	m->slot = (struct slot){ .cell = 1, .span = 1, .start_ns = START_NS };
	span_enter(&m->spans[1], START_NS);
	span_enter(&m->spans[2], START_NS);
	return m;
}

static void done(struct made *m)
{
	medians_free(m->maps.medians);
	free(m->maps.disks);
	free(m->maps.app);
	free(m->maps.buckets);
	free(m->maps.pending);
	free(m);
}

static void flushes(struct made *m, int n, u64 ns)
{
	while (n--)
		row_add(&m->rows[1], 0, ns);
}

static u64 span_ns(const struct made *m)
{
	return span_time_ns(m->spans[1].word, START_NS + 2 * GIVEN_UP_NS);
}

static bool is_about(u64 ns, u64 wanted)
{
	return ns >= wanted - wanted / 16 && ns <= wanted + wanted / 16;
}

/* Repairs the flush. The first call only suspects that its completion is lost. The second call
 * finds the flush again, and ends it. */
static void repair(struct made *m)
{
	maps_repair(&m->maps, START_NS + GIVEN_UP_NS);
	EXPECT_EQ(m->losses.completions, 0);
	maps_repair(&m->maps, START_NS + GIVEN_UP_NS + REPAIR_POLL_NS);
	EXPECT_EQ(m->losses.completions, 1);
	EXPECT_EQ(m->slot.start_ns, 0);
	EXPECT_EQ(span_count(m->spans[1].word), 0);
	EXPECT_EQ(m->spans[2].word, m->spans[1].word); /* both spans counted only this flush */
	EXPECT_EQ(m->maps.disks[0].repaired_ns[OP_FLUSH], span_ns(m));
}

TEST(end_is_the_median_after_the_start)
{
	EXPECT_EQ(lost_end_ns(1000, 50, 9000), 1050);
}

TEST(end_is_not_after_the_detection)
{
	EXPECT_EQ(lost_end_ns(1000, 5000, 3000), 3000);
}

/* The CPU that detects the loss may have read its clock before the access started. Even then, the
 * access must not end before its start. */
TEST(end_is_not_before_the_start)
{
	EXPECT_EQ(lost_end_ns(1000, 50, 990), 1000);
}

/* A lost flush gets the median latency of flushes. Another flush ends later and extends T, but must
 * not extend the latency of the lost flush. */
TEST(later_ends_of_others_do_not_lengthen_the_latency)
{
	struct made *m = made();

	flushes(m, 5, 50 * US);
	span_enter(&m->spans[1], START_NS + 100 * US);
	span_leave(&m->spans[1], START_NS + 400 * US);
	maps_repair(&m->maps, START_NS + GIVEN_UP_NS);
	maps_repair(&m->maps, START_NS + GIVEN_UP_NS + REPAIR_POLL_NS);
	EXPECT_EQ(m->losses.completions, 1);
	EXPECT_EQ(span_ns(m), 400 * US);
	EXPECT_TRUE(is_about(m->maps.disks[0].repaired_ns[OP_FLUSH], 50 * US));
	done(m);
}

/* The filter admits only flushes. The repaired access is a flush, so it must pass the filter and be
 * recorded as a flush. */
TEST(repaired_access_is_recorded_with_its_operation)
{
	const struct trace_filter flushes_only = { .layers = 1 << LAYER_DEVICE,
						   .ops = 1 << OP_FLUSH };
	const unsigned page = sysconf(_SC_PAGESIZE);
	struct made *m = made();
	struct trace_writer *w = NULL;
	u64 names_begun = 0;

	scratch_enter();
	m->maps.names_begun = &names_begun;
	m->maps.record_rings_n = 1;
	m->maps.record_rings[0] = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, page, NULL);
	m->maps.names_ring = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "names", 0, 0, page, NULL);
	NEEDS(m->maps.names_ring >= 0, "cannot make BPF rings: %s", strerror(errno));
	ASSERT_EQ(trace_create(&w, "trace", NULL, NULL), 0);
	ASSERT_EQ(recorder_new(&m->maps.recorder, &m->maps, w, &flushes_only), 0);
	repair(m);
	ASSERT_EQ(trace_flush(w), 0);
	EXPECT_EQ(trace_accesses(w, LAYER_DEVICE), 1);
	recorder_free(m->maps.recorder);
	trace_abandon(w);
	done(m);
}

TEST(lost_flush_takes_the_median_of_flushes)
{
	struct made *m = made();

	flushes(m, 5, 50 * US);
	flushes(m, 2, 128000 * US);
	repair(m);
	EXPECT_TRUE(is_about(span_ns(m), 50 * US));
	done(m);
}

/* If iospan does not know a median latency of flushes yet, it assumes that a lost flush took no
 * time. So the flush adds nothing to T. */
TEST(lost_flush_without_a_median_takes_no_time)
{
	struct made *m = made();

	repair(m);
	EXPECT_EQ(span_ns(m), 0);
	done(m);
}

TEST(median_is_that_of_late_accesses)
{
	struct made *m = made();
	u64 *median = &m->maps.disks[0].median_ns[OP_FLUSH];

	flushes(m, 1000, 50 * US);
	maps_update_medians(&m->maps);
	EXPECT_TRUE(is_about(*median, 50 * US));
	flushes(m, 15, 200 * US); /* too few: a new median needs 16 new flushes */
	maps_update_medians(&m->maps);
	EXPECT_TRUE(is_about(*median, 50 * US));
	flushes(m, 1, 200 * US);
	maps_update_medians(&m->maps);
	EXPECT_TRUE(is_about(*median, 200 * US));
	done(m);
}

enum { GROUP_SPAN = SPAN_DISKS, CELL_SPAN };
/* spans that the libaio request of busy_group() keeps busy */
static const u32 busy[] = { SPAN_RING_OP,    SPAN_VFS_OP, SPAN_VFS,
			    SPAN_VFS_DEVICE, GROUP_SPAN,  CELL_SPAN };

struct busy_group {
	struct span spans[CELL_SPAN + 1];
	struct cell cells[3];
	struct dead_context dead[DEAD_CONTEXTS];
	struct lost_ring lost[SRC_MAX * VFS_OPS];
};

/* Makes a libaio request that starts at START_NS, in a cgroup below the top cgroup. */
static void busy_group(struct busy_group *g, struct made *m)
{
	*g = (struct busy_group){
		.cells = { {},
			   { .group = GROUP_TOP,
			     .disk = DISK_VFS,
			     .span = SPAN_VFS_OP,
			     .parents = { SPAN_VFS, SPAN_VFS_DEVICE } },
			   { .group = GROUP_TOP + 1,
			     .disk = DISK_VFS,
			     .span = CELL_SPAN,
			     .parents = { GROUP_SPAN },
			     .up = 1 } },
		.dead = { { .end_ns = START_NS + US, .tgid = 1 } },
	};
	m->three = 3;
	m->maps.cells_n = &m->three;
	m->maps.spans = g->spans;
	m->maps.cells = g->cells;
	m->maps.max_cells = 3;
	m->maps.max_spans = CELL_SPAN + 1;
	m->maps.per_part = true;
	m->maps.joint_vfs = true;
	m->maps.dead_contexts = g->dead;
	m->maps.dead_contexts_n = &m->one;
	m->maps.lost_rings = g->lost;
	m->slot.start_ns = 0;
	m->maps.buckets[0].key[0] = 1;
	m->maps.pending[0] = (struct pending){ .start_ns = START_NS,
					       .kind = PENDING_AIO,
					       .op = VFS_READ,
					       .tgid = 1,
					       .span = 2 };
	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++)
		span_enter(&g->spans[busy[i]], START_NS);
	/* The loop above entered SPAN_VFS_OP for the libaio request. This call enters it for the
	 * access of the cgroup. */
	span_enter(&g->spans[SPAN_VFS_OP], START_NS);
	span_enter(&m->maps.app->spans[APP_SPAN_READ], START_NS);
}

static void expect_idle(const struct span *spans)
{
	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++) {
		EXPECT_EQ(span_count(spans[busy[i]].word), 0);
		EXPECT_EQ(span_time_ns(spans[busy[i]].word, 0), US);
	}
}

TEST(lost_request_ends_the_spans_of_its_group_and_of_all_above)
{
	struct made *m = made();
	struct busy_group g;

	busy_group(&g, m);
	maps_repair(&m->maps, START_NS + GIVEN_UP_NS);
	EXPECT_EQ(m->losses.aio, 1);
	expect_idle(g.spans);
	done(m);
}

/* The BPF programs of the vfs layer are detached. Then the accesses of this layer that are in
 * flight must end: a libaio request, two system calls and an fsync. An access of the device layer
 * must stay in flight. So SPAN_VFS_DEVICE, the span of both layers, must stay busy. */
TEST(a_stopped_vfs_layer_has_nothing_in_flight)
{
	const struct losses none = {};
	struct made *m = made();
	struct busy_group g;

	busy_group(&g, m);
	span_enter(&g.spans[CELL_SPAN], START_NS);
	span_enter(&g.spans[CELL_SPAN], START_NS);
	span_enter(&g.spans[SPAN_VFS_OP + VFS_SYNC], START_NS);
	span_enter(&g.spans[SPAN_VFS_WAIT], START_NS);
	span_enter(&g.spans[SPAN_VFS_DEVICE], START_NS);
	span_enter(&g.spans[SPAN_DEVICE_WAIT], START_NS);
	span_enter(&g.spans[SPAN_VFS_DEVICE], START_NS);
	m->maps.buckets[1].key[0] = 2;
	m->maps.pending[PENDING_WAYS] =
		(struct pending){ .start_ns = START_NS, .kind = PENDING_BIO };
	maps_end_vfs(&m->maps, START_NS + US);
	EXPECT_EQ(span_count(g.spans[SPAN_VFS_OP + VFS_SYNC].word), 0);
	EXPECT_EQ(span_count(g.spans[SPAN_VFS_WAIT].word), 0);
	EXPECT_EQ(span_count(g.spans[SPAN_DEVICE_WAIT].word), 1);
	EXPECT_EQ(span_count(g.spans[SPAN_VFS_DEVICE].word), 1);
	span_leave(&g.spans[SPAN_VFS_DEVICE], START_NS + US);
	expect_idle(g.spans);
	EXPECT_EQ(span_count(m->maps.app->spans[APP_SPAN_READ].word), 0);
	EXPECT_EQ(m->maps.buckets[0].key[0], 0);
	EXPECT_EQ(m->maps.buckets[1].key[0], 2);
	EXPECT_EQ(memcmp(&m->losses, &none, sizeof(none)), 0);
	done(m);
}

TEST_MAIN
