/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What many workloads are measured on, one after the other: the target, filled once, and the
 * group of the loads, with its limit of memory and the tracer on it.
 *
 * Before each, what is dirty is written. When one touches as many data as the one before, and
 * these fit the page cache, they are there. Else what the target has in the page cache is
 * dropped, and each process's part of the data is read once in its order, in the group, so that
 * the pages are charged to it. */
#ifndef IOSPAN_BENCH_RIG_H
#define IOSPAN_BENCH_RIG_H

#include "bench/load/layers.h"
#include "bench/scale/sample.h"
#include "bench/load/stream.h"
#include "bench/load/target.h"

struct rig_options {
	const char *target;
	bool direct; /* past the page cache */
	bool destroy;
	const char *signature; /* as for guard_open() */
	u64 memory;	       /* limit of the group's; 0: none */
	const char *parent;    /* group above the group; NULL: our own */
	u64 seed;
};

struct rig {
	const struct rig_options *options;
	struct target target;
	struct layers layers;
	u64 cache_bytes;  /* that the page cache may take for a load */
	u64 deadline_ns;  /* now_ns() after which nothing more is read into the cache; 0: none */
	u64 measured;	  /* workloads */
	u64 cached_bytes; /* the data that were read into it; 0: not known */
	int signals;	  /* of signals_catch(); -1: not caught */
	sigset_t before;
	struct size_table sizes;
};

/* Opens the target and fills its first @bytes, or as many as there is time for until
 * @until_ns: target.bytes are. Makes the group, and the tracer if this machine can; else that
 * is told. From then on signals wait to be read. -errno, printed. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Whatever came of rig_open(). */
int rig_close(struct rig *r);

/* Measures s->at, as s->ring says, until its bandwidth is known to RIG_KNOWN or @time_ns are
 * over, what comes before it included, but RIG_LEAST_NS at least; and fills in the rest of
 * @s. Not printed: -EINTR when we are asked to end, -ETIME when the deadline comes before the
 * measurement. Else -errno, printed. */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
