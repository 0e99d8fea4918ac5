/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the behaviours of a job: sets of accesses with similar workloads. For example, a job that
 * reads a file, computes, and writes another file has two behaviours.
 *
 * A window is BEHAVIOUR_WINDOW successive accesses. Each window belongs to the behaviour that
 * resembles it most. If none resembles it, it starts a new behaviour. So a job that returns to an
 * earlier behaviour adds to it. */
#ifndef IOSPAN_BEHAVIOURS_H
#define IOSPAN_BEHAVIOURS_H

#include "tools/characterize/workload-model.h"

#define BEHAVIOUR_WINDOW 256
#define BEHAVIOURS_MAX 16

/* The properties of a window that are compared. A behaviour has the means over its windows. */
enum likeness {
	LIKE_SIZE,	  /* mean of the logarithms of the sizes */
	LIKE_READ,	  /* fraction of reads */
	LIKE_SEQUENTIAL,  /* fraction of sequential accesses */
	LIKE_CONCURRENCY, /* logarithm of the mean number of accesses in flight during T */
	LIKENESSES
};

struct behaviour {
	struct workload_model model;
	double like[LIKENESSES];
	u64 windows;
	/* number of times that the job turned to this behaviour */
	u64 stretches;
	u64 from_ns, to_ns; /* first start and last end of its accesses */
};

/* A zeroed struct is ready for use, after .pause_ns is set (struct issuers). */
struct behaviours {
	struct behaviour of[BEHAVIOURS_MAX];
	u32 n;
	u64 pause_ns;
	/* accesses of the current window, and their parts (TRACE_PART) */
	struct walked {
		struct visit visit;
		bool sequential;
	} window[2 * BEHAVIOUR_WINDOW];
	u32 filled, accesses;	  /* .accesses: without parts */
	struct behaviour *before; /* the behaviour of the previous window */
};

/* Adds a read or write. Calls must be in the order of the starts. */
void behaviours_add(struct behaviours *b, const struct visit *v, bool sequential);
/* Call this after the last behaviours_add(). */
void behaviours_finish(struct behaviours *b);
void behaviours_release(struct behaviours *b);

#endif
