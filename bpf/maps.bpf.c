// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct spans_map spans SEC(".maps");
struct cells_map cells SEC(".maps");
struct slots_map slots SEC(".maps");
struct app_map app SEC(".maps");
struct pending_map pending SEC(".maps");
struct buckets_map buckets SEC(".maps");
struct disks_map disks SEC(".maps");
struct rows_map rows SEC(".maps");
struct cell_counts_map cell_counts SEC(".maps");

struct watched target = {};
u64 target_at = 0;
const volatile u32 target_tgid = 0;
const volatile bool has_loop = true;
const volatile bool has_cast = true;
const volatile u32 stripe_bits = 0;
const volatile u32 group_bits = 0;
const volatile u32 row_groups = 0;
const volatile bool rows_shared = false;

struct losses losses = {};
struct notes notes = {};
struct dead_context dead_contexts[DEAD_CONTEXTS] = {};
u32 dead_contexts_n = 0;
struct lost_ring lost_rings[SRC_MAX * VFS_OPS] = {};

#define ATTEMPTS 48

__noinline int target_runs(void)
{
	return current_is_target();
}

__noinline int enter_try(u32 span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, &span);

	return s ? span_enter(s, now) : SPAN_STAYS;
}

__noinline int leave_try(u32 span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, &span);

	return s ? span_leave(s, now) : SPAN_STAYS;
}

__noinline int enter_app_try(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s ? span_enter(s, now) : SPAN_STAYS;
}

__noinline int leave_app_try(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s ? span_leave(s, now) : SPAN_STAYS;
}

/* Adds an access to a span or removes one, as @how (enum try_how) says. The function is global, so
 * that the verifier does not check it for each iteration of try_again(). It calls no function,
 * because the kernel limits the depth of the call stack. */
int try_once(u32 how, u32 span, u64 now);
__noinline int try_once(u32 how, u32 span, u64 now)
{
	struct span *s = how & TRY_APP ? app_span(span) : bpf_map_lookup_elem(&spans, &span);

	if (!s)
		return SPAN_STAYS;
	return how & TRY_LEAVE ? span_leave(s, now) : span_enter(s, now);
}

__noinline int try_again(u32 how, u32 span, u64 now)
{
	int r = SPAN_REFUSED;

	for (u32 i = 0; i < ATTEMPTS && r == SPAN_REFUSED; i++)
		r = try_once(how, span, now);
	if (r == SPAN_REFUSED)
		count(&losses.spans);
	return r;
}
