/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures workloads one after the other, on a target filled once, in a cgroup with a memory limit,
 * with the tracer. Before each, dirty pages are written; unless the same data are still cached,
 * cached pages are dropped and the cgroup's processes read their parts, so that the kernel charges
 * this cgroup. */
#ifndef IOSPAN_BENCH_RIG_H
#define IOSPAN_BENCH_RIG_H

#include "bench/load/layers.h"
#include "bench/scale/sample.h"
#include "bench/load/stream.h"
#include "bench/load/target.h"

struct rig_options {
	const char *target;
	bool direct;
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
	u64 cache_bytes; /* how many bytes of file data the page cache can hold for the load */
	u64 deadline_ns; /* when reading into the page cache stops (now_ns()); 0: no limit */
	u64 measured;
	u64 cached_bytes; /* amount of data that was last read into the page cache; 0: unknown */
	int signals;	  /* descriptor from signals_catch(); -1: none */
	sigset_t before;
	struct size_table sizes;
};

/* Fills the first @bytes until @until_ns (0: no limit); target.bytes shows how far. Only warns if
 * this kernel cannot be measured. Blocks signals; r->signals has them. Returns 0 or -errno; prints
 * the error. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Call it even if rig_open() failed. Returns 0 or -errno; prints the error. */
int rig_close(struct rig *r);

/* Measures s->at, with io_uring if s->ring; the caller frees s->layers. Takes at least
 * RIG_LEAST_NS, up to a confidence interval of RIG_KNOWN or @time_ns (with the page cache's
 * preparation). Returns 0 or -errno; prints the error, except -EINTR (a signal) and -ETIME
 * (r->deadline_ns). */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
