/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps and settings of the BPF programs of all layers. user/kernel/tracer*.c sets the sizes of the
 * maps and the settings before it loads the programs.
 *
 * A row (struct row) has counters of a set of accesses, in several copies, called stripes. Each CPU
 * adds to one stripe. A span (struct span) measures T of a set of accesses: the time in which at
 * least one of them is in flight. The span is busy while one is in flight, else idle. A group is a
 * cgroup or process with counters of its own. The app area has the preloaded library's spans and
 * counters.
 *
 * Some functions are global, because the verifier checks a global function only once. The verifier
 * checks any other function again at each call. */
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
/* the app area (struct app_area); an element is 64 bytes of it */
struct app_map ARRAY_OF(struct line);
struct pending_map ARRAY_OF(struct pending);
struct buckets_map ARRAY_OF(struct pending_bucket);
struct disks_map ARRAY_OF(struct seen_disk);
/* the stripes of one struct row are consecutive elements of the map */
struct rows_map ARRAY_OF(struct row);
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

/* The topmost measured cgroup (v2): the command's cgroup, or the cgroup given with --within. If a
 * cgroup with the same path replaces it, user/kernel/tracer.c stores the new id. */
extern struct watched target;
/* kernel address of the target cgroup; 0: not known yet. It is faster to compare addresses than
 * ids. */
extern u64 target_at;
/* the only process to measure; 0: all processes of the measured cgroups */
extern const volatile u32 target_tgid;
extern const volatile bool has_loop; /* true: the kernel has bpf_loop() (since 5.17) */
/* log2 of the number of stripes of a struct row for a disk or for a kernel interface (enum
 * source) */
extern const volatile u32 stripe_bits;
/* log2 of the number of stripes of a group's struct row, and of a struct cell_counts */
extern const volatile u32 group_bits;
/* true: there are more CPUs than stripes, so several CPUs add to one stripe */
extern const volatile bool rows_shared;
/* Groups use the rows from this index on. Disks use the rows before it. */
extern const volatile u32 row_groups;

extern struct losses losses;
extern struct notes notes;
extern struct dead_context dead_contexts[DEAD_CONTEXTS];
extern u32 dead_contexts_n;
extern struct lost_ring lost_rings[SRC_MAX * VFS_OPS];

/* maximum number of attempts of raise_max(); an attempt fails if another CPU stores its maximum at
 * the same time */
#define RAISE_RETRIES 8

static __always_inline void count(u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

/* Returns the lower half of a kernel address, for a hash. The verifier allows arithmetic only on a
 * 32-bit copy of a pointer. The assembler statement keeps the compiler from removing this copy. */
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

/* The slow path of group_is_below(): compares the ids of @top and of the ancestor that @cg has at
 * the level of @top. If @cg is @top itself, stores its address in *@at. */
static __noinline bool group_is_found_below(struct cgroup *cg, const volatile struct watched *top,
					    u64 *at)
{
	int depth = cg->level;

	cg = UNTRUSTED(cg);

	if (depth < top->level)
		return false;
	if (depth > top->level + GROUP_DEPTH && has_ancestors())
		return deep_ancestor_id(cg, top->level) == top->id;
	if (depth > top->level)
		return ancestor(cg, top->level)->kn->id == top->id;
	if (cg->kn->id != top->id)
		return false;
	*(volatile u64 *)at = (u64)cg;
	return true;
}

/* Returns true if @cg is @top or below it. *@at is the kernel address of @top; 0: not known yet. If
 * @top is the root (level 0), every cgroup is below it. */
static __always_inline bool group_is_below(struct cgroup *cg, const volatile struct watched *top,
					   u64 *at)
{
	return LIKELY((u64)cg == *(volatile u64 *)at) || (top->id && !top->level) ||
		group_is_found_below(cg, top, at);
}

static __always_inline bool task_is_target(struct task_struct *task)
{
	return (!target_tgid || (u32)task->tgid == target_tgid) &&
		group_is_below(task->cgroups->dfl_cgrp, &target, &target_at);
}

static __always_inline bool current_is_target(void)
{
	return task_is_target(bpf_get_current_task_btf());
}

/* Returns true if the running task is measured, as current_is_target() does. This function is
 * global, so the verifier checks it only once. Since Linux 6.4 (6fcd486b3a0a, "bpf: Refactor RCU
 * enforcement in the verifier."), the verifier needs much time for each pointer read from trusted
 * memory. */
int target_runs(void);

static __always_inline struct span *app_span(u32 which)
{
	u32 line = offsetof(struct app_area, spans) / sizeof(struct span) + which;

	return (struct span *)bpf_map_lookup_elem(&app, &line);
}

/* enter_try() adds an access to span @span, and leave_try() removes one. enter_app_try() and
 * leave_app_try() do the same for a span of the app area. They return an enum span_result.
 * SPAN_REFUSED means that the span is unchanged: no access was in flight, or other CPUs changed the
 * span at the same time. The caller then calls try_again(), which makes up to ATTEMPTS attempts. */
enum try_how { TRY_ENTER = 0, TRY_LEAVE = 1, TRY_APP = 2 };
int enter_try(u32 span, u64 now);
int leave_try(u32 span, u64 now);
int enter_app_try(u32 span, u64 now);
int leave_app_try(u32 span, u64 now);
int try_again(u32 how, u32 span, u64 now);

/* @result is the result of the first attempt to change a span. If it is SPAN_REFUSED, makes further
 * attempts. Returns the final enum span_result. */
static __always_inline int last_result(int result, u32 how, u32 span, u64 now)
{
	return result == SPAN_REFUSED ? try_again(how, span, now) : result;
}

static __always_inline bool had_transition(int result, u32 how, u32 span, u64 now)
{
	return last_result(result, how, span, now) == SPAN_TRANSITION;
}

/* Adds an access that starts at @now to span @s. *@span is the index of @s. Returns true if the
 * span was idle. */
static __always_inline bool enter_span(struct span *s, const u32 *span, u64 now)
{
	return UNLIKELY(!span_enter_busy(s)) &&
		had_transition(enter_try(*span, now), TRY_ENTER, *span, now);
}

/* enter_at() adds an access to the span with index *@span, and leave_at() removes one. Both return
 * true if the span got busy or idle. @span is a pointer, because bpf_map_lookup_elem() takes
 * one. */
static __always_inline bool enter_at(const u32 *span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, span);

	return s && enter_span(s, span, now);
}

static __always_inline bool leave_at(const u32 *span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, span);

	return s && UNLIKELY(!span_leave_busy(s, now)) &&
		had_transition(leave_try(*span, now), TRY_LEAVE, *span, now);
}

static __always_inline bool enter(u32 span, u64 now)
{
	return enter_at(&span, now);
}

static __always_inline bool leave(u32 span, u64 now)
{
	return leave_at(&span, now);
}

static __always_inline bool enter_app(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s && !span_enter_busy(s) &&
		had_transition(enter_app_try(span, now), TRY_APP, span, now);
}

static __always_inline bool leave_app(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s && !span_leave_busy(s, now) &&
		had_transition(leave_app_try(span, now), TRY_APP | TRY_LEAVE, span, now);
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

static __always_inline void raise_max(u64 *to, u64 n, bool shared)
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

/* Returns the index of this CPU's stripe of element @n, in a map with 1 << @bits stripes per
 * element. */
static __always_inline u32 stripe_here(u32 n, u32 bits)
{
	return n << bits | (bpf_get_smp_processor_id() & ((1 << bits) - 1));
}

static __always_inline struct row *row_here(u32 row)
{
	u32 at = stripe_here(row, stripe_bits);

	return bpf_map_lookup_elem(&rows, &at);
}

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
	raise_max(&r->max_ns, ns, shared);
	if (queued) {
		add(&r->queued, 1, shared);
		add_wide(&r->queued_ns, queued, shared);
	}
	add(&r->hist[i], 1, shared);
}

/* Adds an ended access to @r, which is this CPU's stripe of a struct row. If no other CPU uses the
 * stripe, the additions are not atomic, which saves 5 ns each. This is safe, because the kernel
 * does not start a program on a CPU that is already running the same program. */
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

/* Adds an ended access to a group's struct row. The additions are atomic: several BPF programs add
 * to this struct row, and one may interrupt another. */
static __always_inline void add_group_access(u32 row, u64 bytes, bool failed, u64 ns, u64 queued)
{
	struct row *r = group_row_here(row);
	u32 i = hist_index(ns);

	if (r && i < HIST_BUCKETS)
		row_add(r, i, bytes, failed, ns, queued, true);
}

#endif
