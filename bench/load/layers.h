/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load by tracing its cgroup. The load itself counts its
 * app layer. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* the session with the cgroup in which loads run */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced; /* grouped: a cgroup was made; traced: this kernel can measure */
	/* Totals of the cgroup since the BPF programs were attached: @before at the start of the
	 * last load, @m at its end. NULL: not read yet. */
	struct measurement *before, *m;
	u64 start_ns;
};

/* Makes the cgroup for loads. Returns 0, or -errno if this kernel cannot measure or the cgroup
 * cannot be made; prints the error. */
int layers_begin(struct layers *l);
/* Works like layers_begin() if this kernel can measure. If it cannot, prints a warning, and makes a
 * cgroup only if @memory limits its memory. @parent and @memory are those of session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* Starts to measure the cgroup. The caller then calls layers_poll() every TRACER_POLL_NS. The first
 * call attaches the BPF programs, which stay attached for later loads. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Ends the measurement and reads the totals into l->m. Call it when no request of the load is in
 * flight. */
int layers_measure(struct layers *l);
/* Returns the sum of the accesses of the last load at @layer. Its maximum latency is only as exact
 * as a bucket of the histogram. */
struct sum layers_sum(const struct layers *l, int layer);
/* Returns a JSON object with the metrics of each layer, by layer name. A layer is null if its entry
 * of @of is NULL. The caller frees the object. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* Returns the object of sums_json() for the last load. @app is the sum of the app layer. If @l is
 * NULL, the vfs and device layers are null. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Detaches the BPF programs and removes the cgroup. @l may be all zeroes, or layers_begin() may
 * have failed. Returns -errno if a cgroup could not be removed; prints the error. */
int layers_end(struct layers *l);

#endif
