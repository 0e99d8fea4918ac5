/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps and knobs that the layers share, and the few lines that touch them.
 * Defined in maps.bpf.c; sized and set by user/tracer*.c before loading. */
#ifndef IOSPAN_MAPS_BPF_H
#define IOSPAN_MAPS_BPF_H

#include "bpf/compat.bpf.h"
#include "bpf/abi.h"

#define ARRAY_OF(T) \
	{ \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(map_flags, BPF_F_MMAPABLE); \
		__uint(max_entries, 1); \
		__type(key, u32); \
		__type(value, T); \
	}

struct spans_map ARRAY_OF(struct span);
struct cells_map ARRAY_OF(struct cell);
struct slots_map ARRAY_OF(struct slot);
struct line {
	u64 word[8];
};
struct app_map ARRAY_OF(struct line); /* struct app_area in lines */
struct pending_map ARRAY_OF(struct pending);
struct buckets_map ARRAY_OF(struct pending_bucket);
struct disks_map ARRAY_OF(struct seen_disk);
struct rows_map ARRAY_OF(struct row); /* a row's stripes lie side by side */
struct cell_counts_map ARRAY_OF(struct cell_counts);

extern struct spans_map spans SEC(".maps");
extern struct cells_map cells SEC(".maps");
extern struct slots_map slots SEC(".maps");
extern struct app_map app SEC(".maps");
extern struct pending_map pending SEC(".maps");
extern struct buckets_map buckets SEC(".maps");
extern struct disks_map disks SEC(".maps");
extern struct rows_map rows SEC(".maps");
extern struct cell_counts_map cell_counts SEC(".maps");

extern const volatile struct watched target; /* the command's v2 cgroup */
extern u64 target_at;
extern const volatile bool has_loop;	/* bpf_loop(), since 5.17 */
extern const volatile u32 stripe_bits;	/* a row is 1 << stripe_bits of the map's */
extern const volatile u32 group_bits;	/* the same, for rows of groups and for cell_counts */
extern const volatile bool rows_shared; /* several CPUs add to one stripe of a row */
extern const volatile u32 row_groups;	/* where the groups' rows begin */

extern struct losses losses;
extern struct notes notes;
extern struct orphans orphans[ORPHANS];
extern u32 orphans_n;
extern struct lost_ring lost_rings[SRC_MAX * VFS_OPS];

/* A maximum that was raised meanwhile is raised again so often. */
#define RAISE_RETRIES 8

static __always_inline void count(u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

/* Of a kernel address, as a number. The verifier lets nobody calculate with a typed
 * pointer, but a copy of its lower half is a number like any other; the compiler would
 * save itself the copy. */
static __always_inline u32 lower_half(u64 address)
{
	u32 half;

	asm("%0 = %1" : "=w"(half) : "w"((u32)address));
	return half;
}

static __always_inline u32 address_hash(u64 address)
{
	return lower_half(address) * 2654435769U >> 16;
}

/* group_is_below() where the address does not tell. */
static __noinline bool group_is_found_below(struct cgroup *cg, const volatile struct watched *top,
					    u64 *at)
{
	int depth = cg->level;

	if (depth < top->level)
		return false;
	if (depth > top->level)
		return ancestor(cg, top->level)->kn->id == top->id;
	if (cg->kn->id != top->id)
		return false;
	*(volatile u64 *)at = (u64)cg;
	return true;
}

/* Is @cg group @top or below it? That lives as long as we run: once it has been
 * seen, its address @at tells. */
static __always_inline bool group_is_below(struct cgroup *cg, const volatile struct watched *top,
					   u64 *at)
{
	return LIKELY((u64)cg == *(volatile u64 *)at) || group_is_found_below(cg, top, at);
}

static __always_inline bool task_is_target(struct task_struct *task)
{
	return group_is_below(task->cgroups->dfl_cgrp, &target, &target_at);
}

static __always_inline bool current_is_target(void)
{
	return task_is_target(bpf_get_current_task_btf());
}

/* The same where it is rare. Global, so that the verifier walks it once: for each pointer that
 * is read from what it trusts, as the running task or a program's argument, it goes through
 * all names of the BTF, up to four times, since 6fcd486b3a0a ("bpf: Refactor RCU enforcement
 * in the verifier."), 6.4. */
int target_runs(void);

/* The app area is an array of lines; a span is one of them. */
static __always_inline struct span *app_span(u32 which)
{
	u32 line = offsetof(struct app_area, spans) / sizeof(struct span) + which;

	return (struct span *)bpf_map_lookup_elem(&app, &line);
}

/* Begins and ends an access in one of the spans, in one of the app area's: an enum
 * span_result. Functions of their own, and global: the verifier walks through their loops
 * once and not at every call. try_again() tries the rest of the times; true when the span
 * turned. */
enum try_how { TRY_ENTER, TRY_LEAVE, TRY_ENTER_APP, TRY_LEAVE_APP };
int enter_try(u32 span, u64 now);
int leave_try(u32 span, u64 now);
int enter_app_try(u32 span, u64 now);
int leave_app_try(u32 span, u64 now);
int try_again(u32 how, u32 span, u64 now);

static __always_inline bool tried(int result, enum try_how how, u32 span, u64 now)
{
	return result == SPAN_REFUSED ? try_again(how, span, now) : result == SPAN_TURNS;
}

/* An access starts in span @s, number *@span. True if the span was idle. */
static __always_inline bool enter_span(struct span *s, const u32 *span, u64 now)
{
	return UNLIKELY(!span_joins(s)) && tried(enter_try(*span, now), TRY_ENTER, *span, now);
}

/* enter_at() and leave_at() look the span up by its number. They take a pointer, because the map
 * lookup needs the number in memory. */
static __always_inline bool enter_at(const u32 *span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, span);

	return s && enter_span(s, span, now);
}

static __always_inline bool leave_at(const u32 *span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, span);

	return s && UNLIKELY(!span_parts(s, now)) &&
		tried(leave_try(*span, now), TRY_LEAVE, *span, now);
}

static __always_inline bool enter(u32 span, u64 now)
{
	return enter_at(&span, now);
}

static __always_inline bool leave(u32 span, u64 now)
{
	return leave_at(&span, now);
}

static __always_inline bool turn(u32 span, u64 now, bool busy)
{
	return busy ? enter(span, now) : leave(span, now);
}

static __always_inline bool enter_app(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s && !span_joins(s) && tried(enter_app_try(span, now), TRY_ENTER_APP, span, now);
}

static __always_inline bool leave_app(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s && !span_parts(s, now) &&
		tried(leave_app_try(span, now), TRY_LEAVE_APP, span, now);
}

/* An access of operation @op (enum app_span) in the app layer's spans. */
static __always_inline void app_enter(u32 op, u64 now)
{
	if (!enter_app(op, now) || op == APP_SPAN_SYNC)
		return;
	enter_app(APP_SPAN_ALL, now);
	enter_app(APP_SPAN_JOINT, now);
}

static __always_inline void app_leave(u32 op, u64 now)
{
	if (!leave_app(op, now) || op == APP_SPAN_SYNC)
		return;
	leave_app(APP_SPAN_ALL, now);
	leave_app(APP_SPAN_JOINT, now);
}

static __always_inline void add(u64 *to, u64 n, bool shared)
{
	if (shared)
		__sync_fetch_and_add(to, n);
	else
		*to += n;
}

static __always_inline void add_wide(u128 *to, u64 n, bool shared)
{
	u64 *word = (u64 *)to, *low = &word[U128_LOW];
	u64 before;

	if (shared) {
		before = __sync_fetch_and_add(low, n);
	} else {
		before = *low;
		*low = before + n;
	}
	if (UNLIKELY(before + n < n))
		add(&word[!U128_LOW], 1, shared);
}

static __always_inline void raise(u64 *to, u64 n, bool shared)
{
	u64 old = *(volatile u64 *)to;

	if (!shared) {
		if (n > old)
			*to = n;
		return;
	}
	for (int i = 0; i < RAISE_RETRIES && n > old; i++)
		old = __sync_val_compare_and_swap(to, old, n);
}

/* Number of this CPU's stripe of @n, of which each has 1 << @bits. */
static __always_inline u32 stripe_here(u32 n, u32 bits)
{
	return n << bits | (bpf_get_smp_processor_id() & ((1 << bits) - 1));
}

static __always_inline struct row *row_here(u32 row)
{
	u32 at = stripe_here(row, stripe_bits);

	return bpf_map_lookup_elem(&rows, &at);
}

/* @row is one of a group's: row_groups or above. */
static __always_inline struct row *group_row_here(u32 row)
{
	u32 at = (row_groups << stripe_bits) + stripe_here(row - row_groups, group_bits);

	return bpf_map_lookup_elem(&rows, &at);
}

static __always_inline void row_add(struct row *r, u32 i, u64 bytes, bool failed, u64 ns,
				    u64 queued, bool shared)
{
	add(&r->accesses, 1, shared);
	add_wide(&r->bytes, bytes, shared);
	if (failed)
		add(&r->errors, 1, shared);
	add(&r->timed, 1, shared);
	add_wide(&r->latency_ns, ns, shared);
	raise(&r->max_ns, ns, shared);
	if (queued) {
		add(&r->queued, 1, shared);
		add_wide(&r->queued_ns, queued, shared);
	}
	add(&r->hist[i], 1, shared);
}

/* Adds an access that is over to a row that no group has. A stripe that only one CPU uses has one
 * writer: the program that sees the row's accesses end, and the kernel never runs that twice at
 * once on a CPU. Others take atomic additions, which cost some 5 ns each. */
static __always_inline void add_access(struct row *r, u64 bytes, bool failed, u64 ns, u64 queued)
{
	u32 i = hist_index(ns);

	if (!r || i >= HIST_BUCKETS)
		return;
	if (rows_shared)
		row_add(r, i, bytes, failed, ns, queued, true);
	else
		row_add(r, i, bytes, failed, ns, queued, false);
}

/* Adds it to @row of a group. Several programs, of which one may interrupt the other, see the ends
 * of a group's accesses. */
static __always_inline void add_group_access(u32 row, u64 bytes, bool failed, u64 ns, u64 queued)
{
	struct row *r = group_row_here(row);
	u32 i = hist_index(ns);

	if (r && i < HIST_BUCKETS)
		row_add(r, i, bytes, failed, ns, queued, true);
}

#endif
