/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and attaches the BPF programs, and reads their maps. Only tracer*.c includes the libbpf
 * skeleton of these programs. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/kernel/tracer-options.h"
#include "user/metric/measurement.h"

struct tracer;

/* Loads and attaches the programs. Returns 0, or -errno after an error message. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t);

/* Returns the descriptor of the memory (struct app_area) with the counters of the preloaded
 * library. Measured programs inherit the descriptor. */
int tracer_app_fd(const struct tracer *t);

/* Starts to write the accesses that pass @filter to @w; both must stay valid as long as the tracer.
 * Needs tracer_options.record_bytes. Returns 0 or -errno; prints the error. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* Call this every TRACER_POLL_NS or, when recording, every RECORDER_POLL_NS. Ends accesses with a
 * lost completion (no BPF program saw the completion). Adds the times in the kernel's maps to
 * totals, because these times wrap after 4.9 hours. If the target cgroup was removed and made
 * again, measures the new cgroup from now on. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* Returns the run time in ns of the BPF programs of the vfs layer, as the kernel has counted it.
 * Needs tracer_options.bpf_stats. */
u64 tracer_vfs_run_ns(const struct tracer *t);

/* Detaches the BPF programs of the vfs layer, and ends its accesses in flight. The counters of this
 * layer then keep their values. The device layer is measured as before. The app layer must not be
 * measured. */
void tracer_stop_vfs(struct tracer *t);

/* ---- Measurements: return 0, or -errno after an error message ---- */

/* Measures from @start_ns (CLOCK_MONOTONIC) to now. For a measurement without
 * intervals. The measured cgroups must still exist. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* Waits up to 0.2 s until no access is in flight, and then measures. Call it before a load starts,
 * and subtract this measurement from the measurement after the load. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* Measures from @start_ns to now. The measurement goes on. The busy time T includes accesses in
 * flight. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);

/* Like tracer_read(), but groups have only the accesses since the previous tracer_cut(). Groups
 * without such accesses are left out. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);

/* Selects the group (cgroup or process) with @id; 0: selects none. Measurements then have, for each
 * other group, the time in which that group and the selected group both use a disk
 * (group_sum.joint_ns). The first two readings after the call have no such time. Needs
 * tracer_options.selectable. */
void tracer_select(struct tracer *t, u64 id);

#endif
