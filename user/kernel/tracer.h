/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads, attaches and reads the kernel programs. Only tracer*.c includes their skeleton. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/kernel/tracer-options.h"
#include "user/metric/measurement.h"

struct tracer;

/* Loads and attaches the kernel programs. Returns 0 or -errno; prints the error. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t); /* detaches; NULL is fine */

/* File descriptor of the app area, which the measured programs inherit. */
int tracer_app_fd(const struct tracer *t);

/* Writes each access from now on that passes @filter to @w; both must outlive the tracer. Needs
 * record_bytes. Returns 0 or -errno; prints the error. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* To be called every TRACER_POLL_NS or, when recording, RECORDER_POLL_NS: repairs accesses that
 * lost their completion, and samples the spans before their words wrap. If the cgroup of the
 * target was removed and made again, measures the new one. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* ---- measurements: each returns 0 or -errno, and prints the error ---- */

/* The whole measurement, from @start_ns (CLOCK_MONOTONIC) to now. To be called while the cgroups
 * exist. The kernel programs stay attached. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* For a load that is measured as the difference to this measurement: first waits, 0.2 s at most,
 * until nothing is in flight or what is in flight was repaired. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* As tracer_measure(), during the measurement: does not end accesses in flight; T includes them. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);

/* As tracer_read(), but with only the groups that did something since the last cut, and only what
 * they did since. Most groups are idle, and adding up all that they ever did takes time. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);

#endif
