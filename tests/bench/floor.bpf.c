// SPDX-License-Identifier: GPL-2.0
/* The least that tracers cost. clock_*: programs that read the clock, on the events that
 * iospan is on. union_*: the least that has the span, the bytes and the response times of all
 * requests together: no disk, no group, no operation, no request that is put back or lost. */
#include "../../bpf/vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "../../bpf/hist.h"
#include "../../bpf/span.h"

#define CLOCK(name, event)				\
	SEC("tp_btf/" event)				\
	int name(void *ctx)				\
	{						\
		bpf_ktime_get_ns();			\
		return 0;				\
	}
CLOCK(clock_issue, "block_rq_issue")
CLOCK(clock_complete, "block_rq_complete")
CLOCK(clock_enter, "sys_enter")
CLOCK(clock_exit, "sys_exit")
CLOCK(clock_submit, "io_uring_submit_req")
CLOCK(clock_end, "io_uring_complete")

#define TAGS 4096
#define CPUS 64
u64 starts[TAGS];
struct span all;
struct {
	u64 accesses, bytes, ns, buckets[HIST_BUCKETS];
} rows[CPUS];

SEC("tp_btf/block_rq_issue")
int BPF_PROG(union_issue, struct request *rq)
{
	u64 now = bpf_ktime_get_ns();

	if (!span_joins(&all))
		span_enter(&all, now);
	starts[rq->tag & (TAGS - 1)] = now;
	return 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(union_complete, struct request *rq, int error, unsigned int bytes)
{
	u32 cpu = bpf_get_smp_processor_id() & (CPUS - 1), bucket;
	u64 *start = &starts[rq->tag & (TAGS - 1)], now, ns;

	if (!*start)
		return 0;
	now = bpf_ktime_get_ns();
	if (!span_parts(&all, now))
		span_leave(&all, now);
	ns = now - *start;
	*start = 0;
	bucket = hist_index(ns);
	rows[cpu].accesses++;
	rows[cpu].bytes += bytes;
	rows[cpu].ns += ns;
	if (bucket < HIST_BUCKETS)
		rows[cpu].buckets[bucket]++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
