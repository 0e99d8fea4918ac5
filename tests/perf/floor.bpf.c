// SPDX-License-Identifier: GPL-2.0-only
/* Minimal tracers. Their cost is a lower bound for the cost of any tracer. The programs clock_*
 * only read the clock at the events that iospan traces. The programs union_* measure T (the time
 * with at least one request in flight), bytes and latencies of all requests together. They do not
 * distinguish disks, files, cgroups and operations, and ignore requeues and losses. The programs
 * empty_* do nothing at each system call. */
#include "bpf/vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/maps.bpf.h"

#define CLOCK(name, event) \
	SEC("tp_btf/" event) \
	int name(void *ctx) \
	{ \
		bpf_ktime_get_ns(); \
		return 0; \
	}
CLOCK(clock_issue, "block_rq_issue")
CLOCK(clock_complete, "block_rq_complete")
CLOCK(clock_enter, "sys_enter")
CLOCK(clock_exit, "sys_exit")
CLOCK(clock_submit, "io_uring_submit_req")
CLOCK(clock_end, "io_uring_complete")

#define EMPTY(name, event) \
	SEC("tp_btf/" event) \
	int name(void *ctx) \
	{ \
		return 0; \
	}
EMPTY(empty_enter, "sys_enter")
EMPTY(empty_exit, "sys_exit")

#define PLACES 4096
#define CPUS 64

struct union_of {
	struct span all;
	u64 starts[PLACES];
	struct {
		u64 accesses, bytes, ns, buckets[HIST_BUCKETS];
	} rows[CPUS];
} device, ring;

static __always_inline void begin(struct union_of *l, u32 place)
{
	u64 now = bpf_ktime_get_ns();

	if (!span_enter_busy(&l->all))
		span_enter(&l->all, now);
	l->starts[place & (PLACES - 1)] = now;
}

static __always_inline void end(struct union_of *l, u32 place, u64 bytes)
{
	u32 cpu = bpf_get_smp_processor_id() & (CPUS - 1), bucket;
	u64 *start = &l->starts[place & (PLACES - 1)], now, ns;

	if (!*start)
		return;
	now = bpf_ktime_get_ns();
	if (!span_leave_busy(&l->all, now))
		span_leave(&l->all, now);
	ns = now - *start;
	*start = 0;
	bucket = hist_index(ns);
	l->rows[cpu].accesses++;
	l->rows[cpu].bytes += bytes;
	l->rows[cpu].ns += ns;
	if (bucket < HIST_BUCKETS)
		l->rows[cpu].buckets[bucket]++;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(union_issue, struct request *rq)
{
	begin(&device, rq->tag);
	return 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(union_complete, struct request *rq, int error, unsigned int bytes)
{
	end(&device, rq->tag, bytes);
	return 0;
}

/* An io_kiocb needs 256 bytes of memory, so its address without the last 8 bits identifies it. */
SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(union_submit, struct io_kiocb *req)
{
	begin(&ring, lower_half((u64)req) >> 8);
	return 0;
}

SEC("tp_btf/io_uring_complete")
int BPF_PROG(union_end, struct io_ring_ctx *of, void *req)
{
	end(&ring, lower_half((u64)req) >> 8, PLACES);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
