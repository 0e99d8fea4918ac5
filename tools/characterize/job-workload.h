/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workload of a job at one layer: of all its accesses, and of each behaviour. A behaviour is a
 * set of accesses with similar workloads. For example, a job that reads a file, computes, and
 * writes another file has two behaviours.
 *
 * A window is BEHAVIOUR_WINDOW successive accesses. Each window belongs to the behaviour that
 * resembles it most. If none resembles it, it starts a new behaviour. So a job that returns to an
 * earlier behaviour adds to it. */
#ifndef IOSPAN_JOB_WORKLOAD_H
#define IOSPAN_JOB_WORKLOAD_H

#include "tools/characterize/workload-model.h"

#define BEHAVIOUR_WINDOW 256
#define BEHAVIOURS_MAX 16

/* Properties by which windows are compared. A behaviour has the means of the properties over its
 * windows. */
enum likeness {
	LIKE_SIZE,	 /* mean of the logarithms of the sizes */
	LIKE_READ,	 /* fraction of reads */
	LIKE_SEQUENTIAL, /* fraction of sequential accesses */
	/* logarithm of the mean number of accesses in flight, over the time in which at least one
	 * is in flight */
	LIKE_CONCURRENCY,
	LIKENESSES
};

struct behaviour {
	struct workload_model model;
	double like[LIKENESSES];
	u64 windows;
	/* number of times that the job started or resumed this behaviour */
	u64 stretches;
	u64 from_ns, to_ns; /* earliest start and latest end of an access of the behaviour */
};

struct behaviours {
	struct behaviour of[BEHAVIOURS_MAX];
	u32 n;
	u64 pause_ns;
	/* Accesses of the current window, and parts of accesses (TRACE_PART), such as the time in
	 * flight until a requeue. A part adds to the time in flight, but is no access. */
	struct walked {
		struct visit visit;
		bool sequential;
	} window[2 * BEHAVIOUR_WINDOW];
	u32 filled, accesses;	  /* .accesses: number of whole accesses in .window */
	struct behaviour *before; /* the behaviour of the previous window */
};

/* job_workload_init() initialises a zeroed struct. */
struct job_workload {
	struct workload_model all;
	struct behaviours behaviours;
	/* Numbers of accesses that are left out. .empty: those with 0 bytes. .unplaced: those with
	 * an unknown file or offset. */
	u64 empty, unplaced;
	/* A walk is the accesses of one process to one file or disk. .ends[i] is the offset at
	 * which the last access of walk i ended. */
	struct keys walks;
	u64 *ends;
	u32 ends_n;
};

/* @pause_ns: if a process has no access in flight for longer than this, it is assumed to issue no
 * I/O in that time. */
void job_workload_init(struct job_workload *w, u64 pause_ns);
/* Adds a read or write. Calls must be in the order of the start times. */
void job_workload_add(struct job_workload *w, const struct visit *v);
/* Frees memory for times before @before_ns. All further accesses must start at @before_ns or
 * later. */
void job_workload_settle(struct job_workload *w, u64 before_ns);
/* Call this after the last job_workload_add(). */
void job_workload_finish(struct job_workload *w);
void job_workload_release(struct job_workload *w);

/* Returns why the workload is unknown, or NULL if it is known. @losses: number of accesses that the
 * trace may lack. The caller frees the text. */
char *job_workload_reason(const struct job_workload *w, u64 losses);

#endif
