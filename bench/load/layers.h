/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load in a cgroup of its own. The load counts its app
 * layer itself. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* contains the cgroup in which the loads run */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced; /* grouped: the cgroup exists; traced: this kernel can be measured */
	/* totals of the cgroup before the last load and after it (@m), since attaching; NULL: not
	 * read yet */
	struct measurement *before, *m;
	u64 start_ns;
};

/* Makes the cgroup. Returns 0, or -errno if that fails or this kernel cannot be measured; prints
 * the error. */
int layers_begin(struct layers *l);
/* Only warns if this kernel cannot be measured, and then makes the cgroup only for a limit of
 * @memory. @parent, @memory: as in session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* Starts to measure. The first call attaches the BPF programs for all loads; the caller must then
 * call layers_poll() every TRACER_POLL_NS. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Reads the totals of a load into l->m. All its requests must have ended. */
int layers_measure(struct layers *l);
/* Sum over the last load's accesses. The maximum latency is rounded to a bucket of the
 * histogram. */
struct sum layers_sum(const struct layers *l, int layer);
/* Metrics by name of layer; null if @of has NULL. The caller frees the object. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* Like sums_json(), of the last load. @app: the app layer. NULL for @l: the other layers are
 * null. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Detaches the programs and removes the cgroup, even if layers_begin() failed or did not run.
 * Returns -errno and prints the error if the cgroup stays. */
int layers_end(struct layers *l);

#endif
