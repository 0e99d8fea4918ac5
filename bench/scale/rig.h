/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures many workloads, one after the other. The rig has a target that is filled once, a cgroup
 * with a memory limit for the loads, and the tracer.
 *
 * Before each workload, the rig writes dirty pages to the disk. If the workload has the same amount
 * of data as the one before and it fits the page cache, the data are still cached. Otherwise the
 * rig drops the cached pages. Then processes in the cgroup read their parts of the data once, so
 * that the kernel charges the pages to this cgroup. */
#ifndef IOSPAN_BENCH_RIG_H
#define IOSPAN_BENCH_RIG_H

#include "bench/load/layers.h"
#include "bench/scale/sample.h"
#include "bench/load/stream.h"
#include "bench/load/target.h"

struct rig_options {
	const char *target;
	bool direct; /* use direct I/O */
	bool destroy;
	const char *signature; /* signatures on a device that may be lost, as for guard_open() */
	u64 memory;	       /* memory limit of the cgroup in bytes; 0: no limit */
	/* the cgroup is made below this one; NULL: below iospan's own cgroup */
	const char *parent;
	u64 seed;
};

struct rig {
	const struct rig_options *options;
	struct target target;
	struct layers layers;
	u64 cache_bytes;  /* how many bytes of file data the page cache can hold for the load */
	u64 deadline_ns;  /* when reading into the page cache stops (now_ns()); 0: no limit */
	u64 measured;	  /* number of workloads measured */
	u64 cached_bytes; /* amount of data that was last read into the page cache; 0: unknown */
	int signals;	  /* descriptor from signals_catch(); -1: none */
	sigset_t before;
	struct size_table sizes;
};

/* Opens the target and fills its first @bytes. Stops at the time @until_ns (0: no limit), and sets
 * target.bytes to what was filled. Makes the cgroup and the tracer; if this kernel cannot be
 * measured, only prints a warning. Blocks signals; they are then read from r->signals. Returns 0 or
 * -errno; prints the error. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Releases everything that rig_open() made. Call it even if rig_open() failed. Returns 0 or -errno;
 * prints the error. */
int rig_close(struct rig *r);

/* Measures the workload s->at, with io_uring if s->ring, and sets the other fields of @s. The
 * caller frees s->layers. The measurement takes at least RIG_LEAST_NS. It ends when half the
 * confidence interval is at most the fraction RIG_KNOWN of the bandwidth, or @time_ns after the
 * call. The preparation of the page cache is part of this time. Returns 0 or -errno. Prints the
 * error, except -EINTR (a signal) and -ETIME (r->deadline_ns passed while the page cache was
 * prepared). */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
