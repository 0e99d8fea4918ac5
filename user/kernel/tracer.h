/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads, attaches and reads the BPF programs. Only tracer*.c includes their skeleton. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/kernel/tracer-options.h"
#include "user/metric/measurement.h"

struct tracer;

/* Loads and attaches the BPF programs. Returns 0 or -errno, and prints the error. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t); /* detaches the programs; @t may be NULL */

/* Returns the file descriptor of the app area (struct app_area), which the measured programs
 * inherit. */
int tracer_app_fd(const struct tracer *t);

/* tracer_record() starts to write each access that passes @filter to @w. Both must outlive the
 * tracer. tracer_options.record_bytes must not be 0. Returns 0 or -errno, and prints the error. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* tracer_poll() repairs accesses that lost their completion, and adds up T of the spans before
 * their words wrap (4.9 hours). If the target cgroup was removed and made again, it measures the
 * new one. The caller calls it every TRACER_POLL_NS or, when recording, every RECORDER_POLL_NS. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* ---- Measurements: each function returns 0 or -errno, and prints the error ---- */

/* Measures from @start_ns (CLOCK_MONOTONIC) to now, at the end of the measurement. The caller must
 * not remove the measured cgroups before. The BPF programs stay attached. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* Makes a measurement before a load. The caller subtracts it from the measurement after the load.
 * First waits, for 0.2 s at most, until no access is in flight; lost accesses are repaired. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* Measures from @start_ns to now while the measurement continues. Accesses in flight are not ended,
 * and T includes them. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);

/* Does the same as tracer_read(), but groups only have the accesses since the last tracer_cut(),
 * and groups without any are left out. This saves time, because most groups are idle. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);

#endif
