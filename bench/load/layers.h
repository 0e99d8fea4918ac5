/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the vfs and device layers of a load, which runs in a cgroup of its own. */
#ifndef IOSPAN_LAYERS_H
#define IOSPAN_LAYERS_H

#include "user/session/session.h"
#include "user/show/show.h"

struct layers {
	struct session session; /* contains the cgroup in which the loads run */
	struct tracer_options options;
	struct tracer *tracer;
	/* .grouped: the cgroup exists. .traced: iospan can measure on this kernel. */
	bool grouped, traced;
	/* Totals of the cgroup, counted since the BPF programs were attached. .before: read before
	 * the last load. .m: read after the last load. NULL: not read yet. */
	struct measurement *before, *m;
	u64 start_ns;
	/* The disk of layers_set_target(); .disk is "" if there is none. .is_disk: the target is
	 * this disk itself. .is_stacked: the disk is stacked on other disks. */
	char disk[DISK_NAME];
	bool is_disk, is_stacked;
};

/* Makes the cgroup. Returns -errno and prints the error if iospan cannot measure on this kernel. */
int layers_begin(struct layers *l);
/* Works like layers_begin(), unless iospan cannot measure on this kernel. In this case, only warns,
 * and makes a cgroup only to limit memory. @parent: path of the parent of the cgroup; NULL:
 * iospan's own cgroup. @memory: memory limit in bytes; 0: no limit. */
int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory);
/* If @target is a stacked disk, layers_sum() returns its accesses as the sum of the device layer.
 * For any other target, such as a file on a stacked disk, this sum leaves out stacked disks. Call
 * this before layers_measure(), which sets l->is_stacked. */
void layers_set_target(struct layers *l, const char *target);
/* Starts to measure. The first call attaches the BPF programs. From then on, the caller must call
 * layers_poll() every TRACER_POLL_NS. */
int layers_attach(struct layers *l);
void layers_poll(struct layers *l);
/* Reads the totals into l->m. All requests of the load must have ended. */
int layers_measure(struct layers *l);
/* Returns the totals of @layer over all accesses of the last load. From the second load on, the
 * maximum latency is not exact: it is the upper limit of the highest histogram bucket in use. */
struct sum layers_sum(const struct layers *l, int layer);
/* Returns a JSON object with the metrics of each layer, under the layer's name. If @of[layer] is
 * NULL, the layer's value is null. The caller frees the object. */
struct out *sums_json(const struct sum *const of[LAYERS]);
/* Returns the metrics of the last load as sums_json() does. @app is the sum of the app layer. If @l
 * is NULL, the other layers are null. */
struct out *layers_last_json(const struct layers *l, const struct sum *app);
/* Detaches the BPF programs and removes the cgroup. Call it even if layers_begin() failed. Returns
 * -errno and prints the error if the cgroup cannot be removed. */
int layers_end(struct layers *l);

#endif
