/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures workloads, one after the other, on a target that is filled once, in a cgroup with a
 * memory limit. Before each buffered workload, the rig (target, cgroup and tracer) writes the
 * target's dirty pages to the disk. Unless the page cache already has this workload's data, the rig
 * then drops the target's cached pages. Processes in the cgroup read the data again, so that the
 * kernel charges the pages to the cgroup. */
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
	/* signatures on the device, such as "ext4,dos", that the user allows to overwrite */
	const char *signature;
	/* option that sets the amount of data, for an error message; NULL: there is none */
	const char *bytes_option;
	u64 memory; /* memory limit of the cgroup in bytes; 0: no limit */
	/* path of the cgroup in which the rig makes its own cgroup; NULL: iospan's own cgroup */
	const char *parent;
	u64 seed;
};

struct rig {
	const struct rig_options *options;
	struct target target;
	struct layers layers;
	/* number of bytes of file data that the page cache can hold for the load */
	u64 cache_bytes;
	/* time (now_ns()) at which reading into the page cache stops; 0: no limit */
	u64 deadline_ns;
	u64 measured;
	u64 cached_bytes; /* amount of data that was last read into the page cache; 0: unknown */
	int signals;	  /* descriptor from signals_catch(); -1: none */
	sigset_t before;
	struct size_table sizes;
	u64 unit; /* offsets and sizes of requests are multiples of this, in bytes */
};

/* Opens the target and fills its first @bytes, as far as possible until @until_ns (0: no limit). If
 * iospan cannot measure on this kernel, only prints a warning. Blocks signals, which are then read
 * from r->signals. Returns 0 or -errno; prints the error. */
int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns);
/* Undoes rig_open(), even if that failed. Returns 0 or -errno; prints the error. */
int rig_close(struct rig *r);

/* Measures the workload s->at, and sets the other fields of @s. Uses io_uring if s->ring is true.
 * The caller frees s->layers. The measurement ends when half the confidence interval is at most the
 * fraction RIG_KNOWN of the bandwidth, or at the latest @time_ns after the call. It takes at least
 * RIG_LEAST_NS. @time_ns includes the preparation of the page cache. Returns 0 or -errno. Prints
 * the error, except -EINTR (a signal) and -ETIME (the page cache was not ready at
 * r->deadline_ns). */
#define RIG_KNOWN 0.01
#define RIG_LEAST_NS 100000000ULL
int rig_measure(struct rig *r, u64 time_ns, struct sample *s);

#endif
