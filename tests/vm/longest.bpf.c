// SPDX-License-Identifier: GPL-2.0-only
/* Measures the longest run of another BPF program, by fentry and fexit programs on it. longest.c
 * loads this object once for each measured program. */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#define CPUS 64

/* Counters for the runs of the measured program. longest.c reads the first four fields, so their
 * order matters. */
struct {
	u64 runs, sum_ns, longest_ns, interrupted;
	u64 starts[CPUS];
	bool interrupts[CPUS]; /* true if an interrupt occurred since the last start on this CPU */
} seen = {};

SEC("fentry")
int before_run(void *ctx)
{
	u32 cpu = bpf_get_smp_processor_id() & (CPUS - 1);

	seen.interrupts[cpu] = false;
	seen.starts[cpu] = bpf_ktime_get_ns();
	return 0;
}

/* A run with an interrupt is counted, but not timed, because its time includes the interrupt. */
SEC("fexit")
int after_run(void *ctx)
{
	u32 cpu = bpf_get_smp_processor_id() & (CPUS - 1);
	u64 ns = bpf_ktime_get_ns() - seen.starts[cpu];

	if (!seen.starts[cpu])
		return 0;
	if (seen.interrupts[cpu]) {
		__sync_fetch_and_add(&seen.interrupted, 1);
		return 0;
	}
	__sync_fetch_and_add(&seen.runs, 1);
	__sync_fetch_and_add(&seen.sum_ns, ns);
	if (ns > seen.longest_ns)
		seen.longest_ns = ns;
	return 0;
}

static __always_inline int interrupt(void)
{
	seen.interrupts[bpf_get_smp_processor_id() & (CPUS - 1)] = true;
	return 0;
}

SEC("tp_btf/local_timer_entry")
int timer_interrupt(void *ctx)
{
	return interrupt();
}

SEC("tp_btf/irq_work_entry")
int work_interrupt(void *ctx)
{
	return interrupt();
}

SEC("tp_btf/irq_handler_entry")
int device_interrupt(void *ctx)
{
	return interrupt();
}

char LICENSE[] SEC("license") = "GPL";
