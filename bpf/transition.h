/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The tree of spans. A transition is the change of a span from idle to busy (@busy) or from busy to
 * idle. At a transition, the spans above that span get one access more or one less. The BPF
 * programs climb this tree at the start and the end of an access. user/kernel/repair.c climbs it to
 * end an access that lost its completion.
 *
 * A program that has made a span busy enters the spans above it before its own access can end. So
 * no span is left before it was entered.
 *
 * @m: the maps as the command sees them; a BPF program passes NULL. */
#ifndef IOSPAN_TRANSITION_H
#define IOSPAN_TRANSITION_H

#include "bpf/abi.h"

struct maps;

/* Accessors, which the file that includes this header defines. map_cell() and map_group() return
 * NULL if there is no such element. map_span() and map_app_span() add an access to the span if
 * @busy, and otherwise remove one. They return true if that was a transition. */
static struct cell *map_cell(struct maps *m, const u32 *cell);
static struct group *map_group(struct maps *m, const u32 *group);
static bool map_span(struct maps *m, u32 span, u64 now, bool busy);
static bool map_app_span(struct maps *m, u32 span, u64 now, bool busy);

/* CLIMB() calls a function that climbs the tree. In BPF programs it calls a global function in
 * cells.bpf.c, so that the verifier checks the climb only once. */
#ifdef __bpf__
extern const volatile u32 leaf_mask; /* also declared in cells.bpf.h */
#define KNOB(m, name) name
#define LEAVES(m) (leaf_mask + 1)
#define CLIMB(m, climb, ...) global_##climb(__VA_ARGS__)
int global_climb_groups(u32 spans, u32 group, u64 now, bool busy);
int global_climb_parts(u32 cell, u64 now, bool busy);
int global_climb_vfs_parts(u32 cell, u64 now, bool busy);
#else
#define KNOB(m, name) ((m)->name)
#define LEAVES(m) ((m)->leaves)
#define CLIMB(m, climb, ...) climb(m, __VA_ARGS__)
#endif

/* Changes the spans of @group and its ancestors, up to the first span without a transition. @spans
 * is the index of the span of group 0 at the layer. GROUP_TOP is not changed, because its span is
 * the span of the layer. */
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

/* With per_part, changes the spans of @cell, the number of a disk's struct cell, and of its parent
 * cells (c->up), until a span has no transition. */
static __always_inline void climb_parts(struct maps *m, u32 cell, u64 now, bool busy)
{
	for (u32 i = 0; KNOB(m, per_part) && i <= GROUP_LEVELS + 1; i++) {
		struct cell *c = cell ? map_cell(m, &cell) : NULL;

		if (!c || !map_span(m, c->span + LEAVES(m), now, busy))
			break;
		cell = c->up;
	}
}

static __always_inline void transition_parents(struct maps *m, const struct cell *c, u64 now,
					       bool busy)
{
	for (u32 i = 0; i < CELL_PARENTS; i++) {
		if (!c->parents[i])
			break;
		map_span(m, c->parents[i], now, busy);
	}
}

/* Changes the spans above those of @cell, the number of a disk's struct cell, after one of its leaf
 * spans had a transition. */
static __always_inline void transition_cell(struct maps *m, u32 cell, u64 now, bool busy)
{
	struct cell *c = map_cell(m, &cell);

	if (!c)
		return;
	transition_parents(m, c, now, busy);
	if (KNOB(m, per_part))
		CLIMB(m, climb_parts, cell, now, busy);
	if (!c->total)
		return;
	map_app_span(m, APP_SPAN_JOINT, now, busy);
	if (KNOB(m, per_cgroup))
		CLIMB(m, climb_groups, SPAN_GROUP(0), c->group, now, busy);
}

/* ---- The app and vfs layers: an access starts (@busy) or ends ---- */

/* With per_part, changes the spans of @cell, the number of a struct cell of the vfs layer, and of
 * its parent cells (c->up), until a span has no transition. */
static __always_inline void climb_vfs_parts(struct maps *m, u32 cell, u64 now, bool busy)
{
	for (u32 i = 0; KNOB(m, per_part) && i <= GROUP_LEVELS + 1; i++) {
		struct cell *c = cell ? map_cell(m, &cell) : NULL;

		if (!c || !map_span(m, c->span, now, busy))
			break;
		transition_parents(m, c, now, busy);
		cell = c->up;
	}
}

/* Adds an access to the spans of @cell, the number of a struct cell of the vfs layer, or removes
 * it. @cell is 0 if groups have no cells at the vfs layer. */
static __always_inline void access_vfs_cell(struct maps *m, u32 cell, u64 now, bool busy)
{
	struct cell *c = KNOB(m, vfs_groups) && cell ? map_cell(m, &cell) : NULL;

	if (KNOB(m, per_part))
		CLIMB(m, climb_vfs_parts, cell, now, busy);
	else if (c && map_span(m, c->span, now, busy) && c->total)
		CLIMB(m, climb_groups, SPAN_GROUP(GROUPS_OF(KNOB(m, max_groups))), c->group, now,
		      busy);
}

/* Adds an access to the spans of the vfs layer, or removes it. @op is an enum vfs_op. */
static __always_inline void access_vfs(struct maps *m, u32 op, u64 now, bool busy)
{
	if (!map_span(m, SPAN_VFS_OP + op, now, busy) || op == VFS_SYNC)
		return;
	map_span(m, SPAN_VFS, now, busy);
	map_span(m, SPAN_VFS_DEVICE, now, busy);
}

/* Adds an access to the spans of the app layer, or removes it. @op is an enum app_span. */
static __always_inline void access_app(struct maps *m, u32 op, u64 now, bool busy)
{
	if (!map_app_span(m, op, now, busy) || op == APP_SPAN_SYNC)
		return;
	map_app_span(m, APP_SPAN_ALL, now, busy);
	map_app_span(m, APP_SPAN_JOINT, now, busy);
}

/* Changes the spans of the app and vfs layers after the span of io_uring and libaio requests of @op
 * (enum vfs_op) had a transition. These requests are accesses of both layers, because no library is
 * between the program and the kernel. */
static __always_inline void transition_ring(struct maps *m, u32 op, u64 now, bool busy)
{
	access_vfs(m, op, now, busy);
	access_app(m, APP_SPAN_READ + op, now, busy);
}

#endif
