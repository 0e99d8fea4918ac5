/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load with the tracer: the load runs in a cgroup of its
 * own. The load counts its app layer itself. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* contains the cgroup in which the loads run */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced; /* grouped: the cgroup exists; traced: this kernel can be measured */
	/* Totals of the cgroup, counted since the BPF programs were attached: before the last load,
	 * and after it (@m). NULL: not read yet. */
	struct measurement *before, *m;
	u64 start_ns;
};

/* Makes the cgroup for the loads. Returns -errno if this fails, or if this kernel cannot be
 * measured; prints the error. Otherwise returns 0. */
int layers_begin(struct layers *l);
/* Works like layers_begin(), but only prints a warning if this kernel cannot be measured. Then it
 * makes the cgroup only if @memory limits its memory. @parent, @memory: arguments of
 * session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* Starts to measure. The first call attaches the BPF programs, which stay attached for later loads.
 * The caller must then call layers_poll() every TRACER_POLL_NS. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Ends the measurement of a load and reads its totals into l->m. All requests of the load must have
 * ended. */
int layers_measure(struct layers *l);
/* Returns the sum over all accesses of the last load at @layer. The maximum latency comes from a
 * histogram, so it is rounded to the limit of a bucket. */
struct sum layers_sum(const struct layers *l, int layer);
/* Returns a JSON object with the metrics of each layer, under the layer's name. null if the sum in
 * @of is NULL. The caller frees the object. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* Returns the metrics of the last load as sums_json() does. @app: sum of the app layer. NULL for
 * @l: the other layers become null. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Detaches the BPF programs and removes the cgroup. @l may be zeroed, or layers_begin() may have
 * failed. Returns -errno and prints the error if the cgroup could not be removed. */
int layers_end(struct layers *l);

#endif
