/* SPDX-License-Identifier: GPL-2.0 */
/* The maps and knobs that the layers share, and the few lines that touch them.
 * Defined in maps.bpf.c; sized and set by user/tracer.c before loading. */
#ifndef IOSPAN_MAPS_BPF_H
#define IOSPAN_MAPS_BPF_H

#include "compat.bpf.h"
#include "tracer.h"

#define ARRAY_OF(T)                                     \
	{                                               \
		__uint(type, BPF_MAP_TYPE_ARRAY);       \
		__uint(map_flags, BPF_F_MMAPABLE);      \
		__uint(max_entries, 1);                 \
		__type(key, u32);                       \
		__type(value, T);                       \
	}

struct spans_map ARRAY_OF(struct span);
struct cells_map ARRAY_OF(struct cell);
struct slots_map ARRAY_OF(struct slot);
struct line {
	u64 word[8];
};
struct app_map ARRAY_OF(struct line);	/* struct app_area in lines */
struct pending_map ARRAY_OF(struct pending);
struct buckets_map ARRAY_OF(struct pending_bucket);
struct disks_map ARRAY_OF(struct disk);
struct rows_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct row);
};

extern struct spans_map spans SEC(".maps");
extern struct cells_map cells SEC(".maps");
extern struct slots_map slots SEC(".maps");
extern struct app_map app SEC(".maps");
extern struct pending_map pending SEC(".maps");
extern struct buckets_map buckets SEC(".maps");
extern struct disks_map disks SEC(".maps");
extern struct rows_map rows SEC(".maps");

extern const volatile u64 target_id;		/* the command's v2 cgroup */
extern const volatile int target_level;

extern struct losses losses;
extern struct notes notes;

static __always_inline void count(u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

/* Of a kernel address. The verifier lets nobody multiply a typed pointer; its
 * lower half is a number like any other. */
static __always_inline u32 address_hash(u64 address)
{
	return (u32)address * 2654435769U >> 16;
}

static __always_inline bool current_is_target(void)
{
	return bpf_get_current_ancestor_cgroup_id(target_level) == target_id;
}

/* The app area is an array of lines; a span is one of them. */
static __always_inline struct span *app_span(u32 which)
{
	u32 line = offsetof(struct app_area, spans) / sizeof(struct span) + which;

	return (struct span *)bpf_map_lookup_elem(&app, &line);
}

static __always_inline bool enter_span(struct span *s, u64 now)
{
	enum span_result r;

	if (!s)
		return false;
	r = span_enter(s, now);
	if (r == SPAN_REFUSED)
		count(&losses.spans);
	return r == SPAN_TURNS;
}

static __always_inline bool leave_span(struct span *s, u64 now)
{
	enum span_result r;

	if (!s)
		return false;
	r = span_leave(s, now);
	if (r == SPAN_REFUSED)
		count(&losses.spans);
	return r == SPAN_TURNS;
}

static __always_inline bool enter(u32 span, u64 now)
{
	return enter_span(bpf_map_lookup_elem(&spans, &span), now);
}

static __always_inline bool leave(u32 span, u64 now)
{
	return leave_span(bpf_map_lookup_elem(&spans, &span), now);
}

/* Adds an access that is over. A row has one writer per CPU: the program that
 * sees its accesses end, and the kernel never runs that twice at once on a CPU. */
static __always_inline void add_access(u32 row, u64 bytes, bool failed, u64 ns, u64 queued)
{
	struct row *r = bpf_map_lookup_elem(&rows, &row);
	u32 i = hist_index(ns);

	if (!r || i >= HIST_BUCKETS)
		return;
	r->accesses++;
	r->bytes += bytes;
	r->errors += failed;
	r->timed++;
	r->latency_ns += ns;
	if (ns > r->max_ns)
		r->max_ns = ns;
	if (queued) {
		r->queued++;
		r->queued_ns += queued;
	}
	r->hist[i]++;
}

#endif
