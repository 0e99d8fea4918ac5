/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rig on which many workloads are measured in turn: a target that is filled once, and a cgroup
 * for the loads, with a memory limit and the tracer.
 *
 * Before each workload, dirty pages are written. If the data are as many as before and fit the page
 * cache, they are still cached. Otherwise the rig drops the target's pages, and the processes read
 * their parts of the data once, in the cgroup, so that the pages are charged to it. */
#ifndef IOSPAN_BENCH_RIG_H
#define IOSPAN_BENCH_RIG_H

#include "bench/load/layers.h"
#include "bench/scale/sample.h"
#include "bench/load/stream.h"
#include "bench/load/target.h"

struct rig_options {
	const char *target;
	bool direct; /* O_DIRECT */
	bool destroy;
	const char *signature; /* as for guard_open() */
	u64 memory;	       /* the cgroup's limit, bytes; 0: none */
	const char *parent;    /* the cgroup's parent; NULL: iospan's own cgroup */
	u64 seed;
};

struct rig {
	const struct rig_options *options;
	struct target target;
	struct layers layers;
	u64 cache_bytes;  /* size that the page cache may reach for a load */
	u64 deadline_ns;  /* now_ns() at which reading into the cache stops; 0: none */
	u64 measured;	  /* number of workloads so far */
	u64 cached_bytes; /* size of the data that were read into the cache; 0: not known */
	int signals;	  /* from signals_catch(); -1: not caught */
	sigset_t before;
	struct size_table sizes;
};

/* Opens the target and fills its first @bytes; stops at @until_ns (0: no limit). target.bytes is
 * the size that was filled. Makes the cgroup, and the tracer if this machine allows it, else warns.
 * Blocks signals, which are then read from r->signals. Returns 0 or -errno; prints the error. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Call after rig_open(), even if that failed. Returns 0 or -errno; prints the error. */
int rig_close(struct rig *r);

/* Measures s->at with the engine s->ring and fills in the rest of @s; the caller frees s->layers.
 * Ends when the half-width of the bandwidth is RIG_KNOWN, or after @time_ns, which include the
 * preparation of the cache. The measurement itself lasts RIG_LEAST_NS or longer. Returns 0 or
 * -errno; prints the error, except -EINTR (a signal) and -ETIME (deadline before the
 * measurement). */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
