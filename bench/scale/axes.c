// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the range of each workload parameter from the target and the page cache. */
#include "bench/scale/axes.h"

#include <math.h>
#include <unistd.h>

#include "user/host/disk.h"

#define MIB (1ULL << 20)
#define PAGE 4096
#define LEAST_BYTES MIB
#define MOST_SIZE MIB
#define MOST_DEPTH 64
#define BUFFERS 8 /* the buffers of all requests take at most 1 / BUFFERS of the memory */

/* Returns how many requests the kernel keeps in flight for the disk of @target. A larger depth has
 * no effect. */
static double queue_depth(const char *target)
{
	long long requests;
	struct disk d;

	if (!disk_by_path(&this_host, target, &d) &&
	    disk_number(&d, "queue/nr_requests", &requests) && requests > 0)
		return requests;
	return MOST_DEPTH;
}

void scale_axes(struct evaluation *e, const struct rig *r)
{
	double queue = queue_depth(r->target.name), cpus = sysconf(_SC_NPROCESSORS_ONLN);

	e->axes[PARAM_UNIQUE_BYTES] = (struct range){ LEAST_BYTES, r->target.bytes };
	e->axes[PARAM_SIZE] = (struct range){ PAGE, MOST_SIZE };
	e->axes[PARAM_READ] = e->axes[PARAM_SEQ] = (struct range){ 0, 1 };
	e->axes[PARAM_PROCS] = (struct range){ 1, fmax(2, fmin(fmax(16, 4 * cpus), queue)) };
	e->axes[PARAM_DEPTH] = (struct range){ 1, fmax(2, fmin(MOST_DEPTH, queue)) };
	e->buffer_bytes = r->cache_bytes / BUFFERS;
}
