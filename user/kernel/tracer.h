/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and attaches the BPF programs, and reads their maps. Only tracer*.c includes the libbpf
 * skeleton of these programs. A reading is one call of tracer_measure(), tracer_read() or
 * tracer_cut(). A group is a cgroup or process with counters of its own. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/kernel/tracer-options.h"
#include "user/metric/measurement.h"

struct tracer;

/* Loads and attaches the programs. Returns 0, or -errno after an error message. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t);

/* Returns the descriptor of the memory in which the preloaded library counts (struct app_area).
 * Measured programs inherit it. */
int tracer_app_fd(const struct tracer *t);

/* Starts to write accesses to @w, if they pass @filter. Both must stay valid as long as the tracer.
 * Needs tracer_options.record_bytes. Returns 0 or -errno; prints the error. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* Call this every TRACER_POLL_NS or, when recording, every RECORDER_POLL_NS. It does this:
 * - ends accesses with a completion that no BPF program saw;
 * - adds the times in the kernel's maps to totals, because these times wrap after 4.9 hours;
 * - if the target cgroup was removed and made again, measures the new cgroup from now on. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* Returns the time in ns in which the BPF programs of the vfs layer have run, as the kernel
 * measured it. Needs tracer_options.bpf_stats. */
u64 tracer_vfs_run_ns(const struct tracer *t);

/* Detaches the BPF programs of the vfs layer, and ends its accesses in flight. From then on, the
 * counters of this layer do not change. The device layer is still measured. Do not call this if the
 * app layer is measured. */
void tracer_stop_vfs(struct tracer *t);

/* ---- Measurements: return 0, or -errno after an error message ---- */

/* Measures from @start_ns (CLOCK_MONOTONIC) to now, for a measurement without intervals. Call it
 * before the measured cgroups are removed. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* Waits at most 0.2 s until no access is in flight, and then measures. Call it before running the
 * workload, and subtract the result from the measurement after the workload. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* Measures from @start_ns to now, and goes on measuring. T, the busy time, includes accesses in
 * flight. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);

/* Like tracer_read(), with one difference: the sums of groups have only the accesses since the
 * previous tracer_cut(). Groups without such accesses are left out. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);

/* Selects the group (cgroup or process) with @id; 0: selects none. From then on, group_sum.joint_ns
 * of each other group is the time in which that group and the selected group both use a disk. The
 * first reading after this call does not measure this time yet. Needs tracer_options.selectable. */
void tracer_select(struct tracer *t, u64 id);

#endif
