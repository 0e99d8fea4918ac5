/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rig measures many workloads one after the other. It has a target that is filled once, a
 * cgroup with a memory limit for the loads, and the tracer.
 *
 * Before each workload, the rig writes dirty pages to the disk. If the workload has as much data as
 * the one before and they fit the page cache, they are still cached. Otherwise the rig drops the
 * target's pages. Then processes in the cgroup read their parts of the data once, so that the
 * kernel charges the pages to the cgroup. */
#ifndef IOSPAN_BENCH_RIG_H
#define IOSPAN_BENCH_RIG_H

#include "bench/load/layers.h"
#include "bench/scale/sample.h"
#include "bench/load/stream.h"
#include "bench/load/target.h"

struct rig_options {
	const char *target;
	bool direct; /* the target is opened with O_DIRECT */
	bool destroy;
	const char *signature; /* names of signatures that may be destroyed, as for guard_open() */
	u64 memory;	       /* memory limit of the cgroup in bytes; 0: none */
	const char *parent;    /* parent of the cgroup; NULL: iospan's own cgroup */
	u64 seed;
};

struct rig {
	const struct rig_options *options;
	struct target target;
	struct layers layers;
	u64 cache_bytes;  /* bytes of file data that the page cache can hold for a load */
	u64 deadline_ns;  /* time (now_ns()) at which reading into the page cache stops; 0: none */
	u64 measured;	  /* number of workloads measured so far */
	u64 cached_bytes; /* bytes of data that were last read into the page cache; 0: not known */
	int signals;	  /* descriptor from signals_catch(); -1: signals are not caught */
	sigset_t before;
	struct size_table sizes;
};

/* Opens the target and fills its first @bytes. Stops filling at the time @until_ns (0: no limit)
 * and sets target.bytes to the size that was filled. Makes the cgroup. Makes the tracer if this
 * kernel allows it, and prints a warning if not. Blocks signals, which are then read from
 * r->signals. Returns 0 or -errno; prints the error. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Removes what rig_open() made. Call it even if rig_open() failed. Returns 0 or -errno; prints the
 * error. */
int rig_close(struct rig *r);

/* Measures the workload s->at (with io_uring if s->ring) and sets the other fields of @s. The
 * caller frees s->layers. The measurement lasts at least RIG_LEAST_NS. It ends when the confidence
 * interval of the bandwidth is narrow enough (RIG_KNOWN: half-width / bandwidth), or @time_ns after
 * this function was called. This time includes the preparation of the page cache. Returns 0 or
 * -errno. Prints the error, except -EINTR (a signal) and -ETIME (r->deadline_ns was reached while
 * the page cache was prepared). */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
