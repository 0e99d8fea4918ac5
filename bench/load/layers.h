/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load. The app layer is counted by the load itself. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* the cgroup of the loads */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced; /* a cgroup was made; this kernel can measure */
	/* totals of the cgroup since the tracer was attached, at the start and at the end of the
	 * last load; or NULL */
	struct measurement *before, *m;
	u64 start_ns;
};

/* Makes the cgroup. Returns 0, or -errno if this kernel cannot measure; prints the error. */
int layers_begin(struct layers *l);
/* As layers_begin(), but if this kernel cannot measure, prints a warning and makes a cgroup only
 * for a memory limit. @parent and @memory are as for session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* Starts to measure the cgroup; call layers_poll() every TRACER_POLL_NS from then on. The first
 * call attaches the BPF programs, which stay attached for later loads. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Ends the measurement. Call it when the load waits or has ended. */
int layers_measure(struct layers *l);
/* Returns the sum of the last load at @layer. Its maximum latency has the resolution of the
 * histogram. */
struct sum layers_sum(const struct layers *l, int layer);
/* Returns all metrics by layer name, null where @of is NULL. The caller frees it. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* As sums_json(), for the last load; @app is the sum of the app layer. Layers below are null if @l
 * is NULL. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Returns the BPS of @layer in such an object, or NaN. */
double layers_json_bps(const struct out *layers, int layer);
/* Also for an @l of zeroes, or after layers_begin() failed. Returns -errno if a cgroup could not be
 * removed; prints the error. */
int layers_end(struct layers *l);

#endif
