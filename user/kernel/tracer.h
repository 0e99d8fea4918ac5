/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel programs: loaded, attached, read. Only tracer.c and
 * its parts, tracer-*.c, see their skeleton. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/host/cgroup.h"
#include "user/metric/measurement.h"
#include "bpf/abi.h"

#define MAX_GROUPS 1000000U /* some 10 GB */

struct tracer_options {
	unsigned layers;       /* bit per LAYER_ */
	struct cgroup target;  /* v2: whose accesses count */
	struct cgroup charged; /* BY_BLKCG: whose I/O counts; else unused */
	enum attribution attribution;
	bool fentry;				   /* system calls by fentry, else by tracepoints */
	bool faults;				   /* page faults, which takes fentry */
	bool has_fentry, has_io_uring, has_libaio; /* this kernel lets the vfs layer trace them */
	bool per_cgroup;			   /* groups below the target on their own, at the
					 * device and the vfs layer, */
	u32 max_groups;				   /* at most so many, the target included */
	bool per_part;	   /* and what they do by layer, disk and operation; */
	bool per_process;  /* processes instead, BY_TASK, which are below nobody; */
	bool retire;	   /* those that were removed, or ended, go, after some reads, and
					 * max_groups is how many there may be at once */
	const char *disks; /* only these: a name, a number, a pattern; NULL: all */
	u64 record_bytes;  /* of memory for tracer_record(); 0: it is not used */
};

struct tracer;

/* Loads and attaches. Errors are printed. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t); /* detaches; NULL is fine */

/* Descriptor of the app area, for the measured programs to inherit. */
int tracer_app_fd(const struct tracer *t);

/* Every access from now on that @filter wants also goes to @w; both must outlive the tracer.
 * With record_bytes only; -errno, printed. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* To be called every TRACER_POLL_NS, or RECORDER_POLL_NS: repairs what was lost, and reads the
 * spans before their words come round. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* ---- what was measured ---- */

/* Reads all of it, while the groups still exist; the elapsed time began at
 * @start_ns (CLOCK_MONOTONIC). The kernel programs stay attached. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* The same before a load that is measured alone, by what the next measurement has more: waits,
 * 0.2 s at most, until nothing is in flight, be it because it was lost and is repaired. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* The same in the middle: what is in flight stays so, and its T so far is in. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);
/* And the same, but its groups are only those that have done something since the last time, with
 * that alone: most of many have not, and to add up all that they ever did takes its time. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);

#endif
