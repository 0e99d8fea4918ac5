// SPDX-License-Identifier: GPL-2.0-only
/* The longest run of another BPF program. This object is loaded once for each such program. */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#define CPUS 64

/* longest.c reads the first three fields. */
struct {
	u64 runs, sum_ns, longest_ns;
	u64 starts[CPUS];
} seen = {};

SEC("fentry")
int before_run(void *ctx)
{
	seen.starts[bpf_get_smp_processor_id() & (CPUS - 1)] = bpf_ktime_get_ns();
	return 0;
}

SEC("fexit")
int after_run(void *ctx)
{
	u64 now = bpf_ktime_get_ns();
	u64 start = seen.starts[bpf_get_smp_processor_id() & (CPUS - 1)];

	if (!start)
		return 0;
	__sync_fetch_and_add(&seen.runs, 1);
	__sync_fetch_and_add(&seen.sum_ns, now - start);
	if (now - start > seen.longest_ns)
		seen.longest_ns = now - start;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
