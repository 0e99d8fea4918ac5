// SPDX-License-Identifier: GPL-2.0
/* The maps and knobs that the layers share. */
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct spans_map spans SEC(".maps");
struct cells_map cells SEC(".maps");
struct slots_map slots SEC(".maps");
struct app_map app SEC(".maps");
struct pending_map pending SEC(".maps");
struct buckets_map buckets SEC(".maps");
struct disks_map disks SEC(".maps");
struct rows_map rows SEC(".maps");

const volatile struct watched target = {};
u64 target_at = 0;
const volatile bool has_loop = true;
const volatile bool has_cast = true;
const volatile u32 stripe_bits = 0;
const volatile bool rows_shared = false;

struct losses losses = {};
struct notes notes = {};
struct lost_ring lost_rings[SRC_MAX * VFS_OPS] = {};

static __always_inline int told(enum span_result r)
{
	if (r == SPAN_REFUSED)
		count(&losses.spans);
	return r == SPAN_TURNS;
}

__noinline int enter_slowly(u32 span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, &span);

	return s ? told(span_enter(s, now)) : 0;
}

__noinline int leave_slowly(u32 span, u64 now)
{
	struct span *s = bpf_map_lookup_elem(&spans, &span);

	return s ? told(span_leave(s, now)) : 0;
}

__noinline int enter_app_slowly(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s ? told(span_enter(s, now)) : 0;
}

__noinline int leave_app_slowly(u32 span, u64 now)
{
	struct span *s = app_span(span);

	return s ? told(span_leave(s, now)) : 0;
}
