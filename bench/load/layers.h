/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vfs and device layers of a load, beside its own count. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* the group of the loads */
	struct tracer_options options;
	struct tracer *tracer;
	bool grouped, traced;		/* there is a group; this machine can measure */
	struct measurement *before, *m; /* of the group since the tracer is there: when the
					 * last load began, and at its end; or NULL */
	u64 start_ns;
};

/* Makes the group, when this machine can measure at all. Errors are printed. */
int layers_begin(struct layers *l);
/* The same where it may not be able to: that is told, and a group is made for a limit alone;
 * @parent and @memory are as for session_begin(). */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* From here on what the group does is measured; to be polled every TRACER_POLL_NS. The first
 * load attaches the kernel programs; they stay for those after it. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* To be called when the load waits or has ended. */
int layers_measure(struct layers *l);
/* The last load's share of @layer; its longest access as far as the histogram tells. */
struct sum layers_sum(const struct layers *l, int layer);
/* All metrics of the layers by their names, null those that are NULL. The caller frees it. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* The same of the last load, the app layer's being @app; null those that nobody measures (@l
 * NULL). */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* BPS of @layer in such an object; NaN: there is none. */
double layers_json_bps(const struct out *layers, int layer);
/* Whatever came of layers_begin(), if it was called at all. -errno, printed, when a group stays
 * behind. */
int layers_end(struct layers *l);

#endif
