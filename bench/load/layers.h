/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load in its own cgroup; the load counts its app layer. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* contains the cgroup in which the loads run */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced; /* grouped: the cgroup exists; traced: this kernel can be measured */
	/* totals of the cgroup since the attachment, before and after (@m) the last load; NULL: not
	 * read */
	struct measurement *before, *m;
	u64 start_ns;
};

/* Makes the cgroup. Returns 0, or -errno if this kernel cannot be measured; prints the error. */
int layers_begin(struct layers *l);
/* Only warns if this kernel cannot be measured; then the cgroup exists only to limit @memory.
 * @parent, @memory: arguments of session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* Starts to measure. The first call attaches the BPF programs; then the caller must call
 * layers_poll() every TRACER_POLL_NS. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Reads the totals of a load into l->m. All its requests must have ended. */
int layers_measure(struct layers *l);
/* Returns the sum of the last load. The maximum latency is rounded to a histogram bucket's
 * limit. */
struct sum layers_sum(const struct layers *l, int layer);
/* Returns metrics by name of layer, null where @of is NULL. The caller frees the object. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* @app: sum of the app layer. If @l is NULL, the other layers are null. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Detaches the BPF programs, even if layers_begin() failed. Returns -errno and prints the error if
 * the cgroup cannot be removed. */
int layers_end(struct layers *l);

#endif
