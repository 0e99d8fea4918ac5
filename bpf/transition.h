/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The tree of spans: a parent is busy while one of its children is. For instance, a disk's span is
 * busy while the span of one of its queues is. If a span gets busy, each of its parents gets one
 * access more; if it gets idle, one less. The program that makes a span busy adds to the parents
 * before its own access can end. So no access is removed from a parent before it was added.
 *
 * A cell (struct cell) has the indices of the spans of one group, disk and operation. A disk cell
 * has several spans of its own, the leaves, which different CPUs change. A vfs cell is for one
 * group and operation at the vfs layer. BPF programs and user/kernel/repair.c share this code;
 * repair.c passes its maps in @m, BPF programs pass NULL.
 *
 * The wait span of a layer is busy while a read, write, sync or flush is in flight at this layer. A
 * joint span is for two layers: it is busy while one of their wait spans is. */
#ifndef IOSPAN_TRANSITION_H
#define IOSPAN_TRANSITION_H

#include "bpf/abi.h"

struct maps;

/* The BPF programs and the command access maps differently. So each file that includes this header
 * defines the functions declared here:
 *
 * - map_cell(), map_group(), map_span_at(): return an element of a map, or NULL.
 * - map_span(), map_app_span(): if @busy, add an access to a span, otherwise remove one. Return
 * true if the span got busy or idle.
 * - map_span_result(): changes a span like map_span(), but returns the enum span_result. */
static struct cell *map_cell(struct maps *m, const u32 *cell);
static struct group *map_group(struct maps *m, const u32 *group);
static bool map_span(struct maps *m, u32 span, u64 now, bool busy);
static enum span_result map_span_result(struct maps *m, u32 span, u64 now, bool busy);
static struct span *map_span_at(struct maps *m, u32 span);
static bool map_app_span(struct maps *m, u32 span, u64 now, bool busy);

/* KNOB() reads a setting. LEAVES() is the number of leaves of a disk cell. CLIMB() calls one of the
 * climb_*() functions. In BPF, it does so through a global function, which the verifier checks only
 * once. */
#ifdef __bpf__
extern const volatile u32 leaf_mask;
extern const volatile bool joint_vfs, joint_app, selectable;
#define KNOB(m, name) name
#define LEAVES(m) (leaf_mask + 1)
#define CLIMB(m, climb, ...) global_##climb(__VA_ARGS__)
int global_climb_groups(u32 spans, u32 group, u64 now, bool busy);
int global_climb_parts(u32 cell, u64 now, bool busy);
int global_climb_parents(u32 cell, u64 now, bool busy);
#else
#define KNOB(m, name) ((m)->name)
#define LEAVES(m) ((m)->leaves)
#define CLIMB(m, climb, ...) climb(m, __VA_ARGS__)
#endif

/* If @busy, adds an access to the span of @group, otherwise removes one. If this makes the span
 * busy or idle, does the same to the parent group, and so on. Stops before GROUP_TOP, the topmost
 * group, which has the span of the layer instead. The span of group number i has the index @spans +
 * i.
 *
 * If @group has the bit GROUP_OTHER, the cgroup has no counters of its own. Then the span of
 * GROUP_NONE, which is for all these cgroups together, also changes. */
static __always_inline void climb_groups(struct maps *m, u32 spans, u32 group, u64 now, bool busy)
{
	if (group & GROUP_OTHER)
		map_span(m, spans + GROUP_NONE, now, busy);
	group &= ~GROUP_OTHER;
	for (u32 i = 0; i < GROUP_LEVELS; i++) {
		struct group *g = map_group(m, &group);

		if (!g || group <= GROUP_TOP || !map_span(m, spans + group, now, busy))
			break;
		group = g->parent;
	}
}

/* If @busy, adds an access to the span of the whole disk cell @cell, otherwise removes one. If this
 * made the span busy or idle, does the same to the parent group's cell (c->up), and so on. Without
 * per_part, groups have no counters per disk and operation, and nothing changes. */
static __always_inline void climb_parts(struct maps *m, u32 cell, u64 now, bool busy)
{
	for (u32 i = 0; KNOB(m, per_part) && i <= GROUP_LEVELS + 1; i++) {
		struct cell *c = cell ? map_cell(m, &cell) : NULL;

		if (!c || !map_span(m, c->span + LEAVES(m), now, busy))
			break;
		cell = c->up;
	}
}

/* If @busy, adds an access to the wait span with index @at, otherwise removes one. If this makes
 * the span busy or idle, also changes the joint spans of its layer. */
static __always_inline void transition_wait(struct maps *m, u32 at, u64 now, bool busy)
{
	if (!map_span(m, at, now, busy))
		return;
	if (KNOB(m, joint_vfs))
		map_span(m, SPAN_VFS_DEVICE, now, busy);
	if (at == SPAN_DEVICE_WAIT && KNOB(m, joint_app))
		map_app_span(m, APP_SPAN_JOINT, now, busy);
}

static __always_inline void transition_parents(struct maps *m, const struct cell *c, u64 now,
					       bool busy)
{
	for (u32 i = 0; i < CELL_PARENTS; i++) {
		u32 at = c->parents[i];

		if (!at)
			break;
		if (at == SPAN_VFS_WAIT || at == SPAN_DEVICE_WAIT)
			transition_wait(m, at, now, busy);
		else
			map_span(m, at, now, busy);
	}
}

/* Like transition_parents(), for the cell with index @cell. */
static __always_inline void climb_parents(struct maps *m, u32 cell, u64 now, bool busy)
{
	struct cell *c = map_cell(m, &cell);

	if (c)
		transition_parents(m, c, now, busy);
}

/* Updates the shared times (share.h). If @busy is true, a group has started to use @disk at
 * @now, otherwise it has stopped. @own is the index of the span of the group's reads and writes
 * on @disk. @change is the effect of this start or stop on the span of the whole disk.
 *
 * If @change is SPAN_SECOND, the number of groups that use the disk changed from 1 to 2, or from
 * 2 to 1. Then the shared clock of the disk starts or stops. In any case, two clocks of the
 * group start or stop: .shared, the time shared with any other group, and .joint, the time
 * shared with the selected group. */
static __always_inline void change_shares(struct maps *m, u32 disk, u32 own,
					  enum span_result change, u64 now, bool busy)
{
	struct span *clock = map_span_at(m, SPAN_DISK(disk, DISK_RW));
	struct span *group = map_span_at(m, own), *selected;

	if (!clock || !group)
		return;
	if (change == SPAN_SECOND)
		share_change(&clock->shared, now, busy);
	share_change(&group->shared, share_time_ns(span_read(&clock->shared), now), busy);
	if (!KNOB(m, selectable))
		return;
	selected = clock->selected ? map_span_at(m, clock->selected) : NULL;
	share_change(&group->joint, selected ? span_time_ns(span_read(&selected->word), now) : 0,
		     busy);
}

/* If @busy, adds an access to the span c->both, otherwise removes one. This span is for the reads
 * and writes of one group on one disk. If it got busy or idle, the group started or stopped using
 * the disk, so the spans of the disk, the layer and the group may change, too. */
static __always_inline void transition_both(struct maps *m, const struct cell *c, u64 now,
					    bool busy)
{
	enum span_result change;

	if (!KNOB(m, per_cgroup) || !map_span(m, c->both, now, busy))
		return;
	change = map_span_result(m, SPAN_DISK(c->disk, DISK_RW), now, busy);
	change_shares(m, c->disk, c->both, change, now, busy);
	if (!c->total)
		return;
	if (change == SPAN_TRANSITION) {
		map_span(m, SPAN_DEVICE, now, busy);
		transition_wait(m, SPAN_DEVICE_WAIT, now, busy);
	}
	CLIMB(m, climb_groups, SPAN_GROUP(0), c->group, now, busy);
}

/* Changes the spans that include a leaf of disk cell @cell. Called after the leaf got busy or
 * idle. */
static __always_inline void transition_cell(struct maps *m, u32 cell, u64 now, bool busy)
{
	struct cell *c = map_cell(m, &cell);

	if (!c)
		return;
	transition_parents(m, c, now, busy);
	if (KNOB(m, per_part))
		CLIMB(m, climb_parts, cell, now, busy);
	if (c->both)
		transition_both(m, c, now, busy);
}

/* If @busy, adds an access to the span of vfs cell @cell, otherwise removes one. If this made the
 * span busy or idle, also changes the spans in c->parents, and goes on with the parent group's cell
 * (c->up). */
static __always_inline void climb_vfs_parts(struct maps *m, u32 cell, u64 now, bool busy)
{
	for (u32 i = 0; KNOB(m, per_part) && i <= GROUP_LEVELS + 1; i++) {
		struct cell *c = cell ? map_cell(m, &cell) : NULL;

		if (!c || !map_span(m, c->span, now, busy))
			break;
		CLIMB(m, climb_parents, cell, now, busy);
		cell = c->up;
	}
}

/* If @busy, adds an access to the span of vfs cell @cell and to the spans that include it.
 * Otherwise removes an access from them. If @cell is 0, the access has no cell, and nothing
 * changes. */
static __always_inline void access_vfs_cell(struct maps *m, u32 cell, u64 now, bool busy)
{
	struct cell *c = KNOB(m, vfs_groups) && cell ? map_cell(m, &cell) : NULL;

	if (KNOB(m, per_part))
		climb_vfs_parts(m, cell, now, busy);
	else if (c && map_span(m, c->span, now, busy)) {
		CLIMB(m, climb_groups, SPAN_GROUP_WAIT(KNOB(m, max_groups), 0), c->group, now,
		      busy);
		if (c->total)
			CLIMB(m, climb_groups, SPAN_GROUP_VFS(KNOB(m, max_groups), 0), c->group,
			      now, busy);
	}
}

/* If @busy, adds an access of operation @op to the spans of the vfs layer, otherwise removes one.
 * These are the span of @op, the wait span and, for a read or write, SPAN_VFS, which measures T. */
static __always_inline void access_vfs(struct maps *m, u32 op, u64 now, bool busy)
{
	if (!map_span(m, SPAN_VFS_OP + op, now, busy))
		return;
	transition_wait(m, SPAN_VFS_WAIT, now, busy);
	if (op != VFS_SYNC)
		map_span(m, SPAN_VFS, now, busy);
}

/* If @busy, adds an access of operation @op (enum app_span) to the app layer's spans, otherwise
 * removes one. */
static __always_inline void access_app(struct maps *m, u32 op, u64 now, bool busy)
{
	if (!map_app_span(m, op, now, busy))
		return;
	for (u32 step = 1; step < APP_STEPS; step++)
		if (step < app_steps(op))
			map_app_span(m, app_step_span(op, step), now, busy);
}

/* Updates the spans of the app and vfs layers. Called after the span of the io_uring and libaio
 * requests with operation @op got busy or idle. These requests are accesses of both layers, because
 * no I/O library is between the program and the kernel. */
static __always_inline void transition_ring(struct maps *m, u32 op, u64 now, bool busy)
{
	access_vfs(m, op, now, busy);
	access_app(m, APP_SPAN_READ + op, now, busy);
}

#endif
