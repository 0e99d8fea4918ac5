/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workload of a job by the model of Chen and Patterson 1993, section 5, "Workload Model":
 *
 * uniqueBytes   number of unique bytes that were read or written
 * sizeMean      mean size of an access. In the paper, the coefficient of variation is 1.
 * readFrac      fraction of the accesses that are reads
 * seqFrac       fraction of the accesses that sequentially follow the prior one. Each process has
 *               its own thread of addresses.
 * processNum    number of processes that simultaneously issue I/O
 *
 * iospan adds the depth, the number of accesses that a process has in flight. The options of
 * `bench load` and `predict` take these parameters. */
#ifndef IOSPAN_WORKLOAD_MODEL_H
#define IOSPAN_WORKLOAD_MODEL_H

#include "tools/characterize/census.h"
#include "tools/characterize/extents.h"
#include "tools/characterize/visits.h"

/* How many processes issue accesses at the same time, and how many accesses each of them has in
 * flight. */
struct issuers {
	/* A process is issuing accesses while at least one of its accesses is in flight, and in a
	 * pause of at most .pause_ns between two accesses. In a longer pause, it is not. */
	u64 pause_ns;
	struct issuer *of; /* of[i]: state of the process that has number i in the trace */
	u32 n;
	struct cover issuing; /* times in which at least one process issues accesses */
	u128 issuing_ns;      /* sum over the processes of the time in which each issues accesses */
	u128 flight_ns;	      /* sum of the latencies of all accesses */
	/* sum over the processes of the time in which each has an access in flight */
	u128 busy_ns;
};

/* A zeroed struct is ready for use after the caller has set .issuers.pause_ns. */
struct workload_model {
	u64 n; /* number of accesses */
	u64 reads, sequential;
	u64 bytes;
	/* .size_mean: mean size in bytes. .size_squares: sum of the squares of the deviations from
	 * this mean, by the method of Welford 1962. */
	double size_mean, size_squares;
	struct census sizes;
	struct extents extents;
	struct issuers issuers;
	struct cover busy; /* times in which at least one access is in flight */
};

/* Adds a read or write with a known file and offset. Calls must be in the order of the start
 * times. */
void workload_model_add(struct workload_model *m, const struct visit *v, bool sequential);
/* Frees memory for times before @before_ns. All further accesses must start at @before_ns or
 * later. */
void workload_model_settle(struct workload_model *m, u64 before_ns);
/* Call this after the last workload_model_add(). */
void workload_model_finish(struct workload_model *m);
void workload_model_release(struct workload_model *m);

/* Returns the number of the file of @v. At the device layer, returns the number of the disk. */
u32 workload_model_file(const struct visit *v);
/* Returns the coefficient of variation of the sizes. @m must have at least one access. */
double workload_model_cv(const struct workload_model *m);

/* Returns the mean number of processes that issue accesses, over the times in which at least one
 * does. NaN: no process has issued an access. */
double issuers_processes(const struct issuers *s);
/* Returns the mean number of accesses that a process has in flight, over the times in which it has
 * at least one. NaN: no access has a duration. */
double issuers_depth(const struct issuers *s);

/* workload_predict_line() returns a command line of `iospan predict` that reproduces the workload;
 * workload_load_line() returns one of `iospan bench load`. @unique_bytes is the number of unique
 * bytes. @m must have at least one access. The caller frees the line. */
char *workload_predict_line(const struct workload_model *m, u64 unique_bytes);
char *workload_load_line(const struct workload_model *m, u64 unique_bytes);

#endif
