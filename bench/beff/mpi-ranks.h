/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this command that mpirun started ("ranks"), possibly on several machines. Rank 0
 * leads; the others follow its orders. */
#ifndef IOSPAN_BENCH_MPI_RANKS_H
#define IOSPAN_BENCH_MPI_RANKS_H

#include "bench/beff/mpi-api.h"

/* All ranks get the same order. Each writes its result to its part. */
struct mpi_work {
	void (*obey)(const void *order, void *part);
	size_t order_bytes, part_bytes;
	size_t shared_bytes;
};

struct mpi_place {
	const struct mpi *library;
	unsigned rank, ranks;
	void *shared; /* memory that all ranks share, zeroed; NULL: they are on several machines */
};

/* Starts MPI and fills in the rank's @place; signals are caught from then on. Rank 0 calls
 * @lead(@arg, number of ranks) and returns its result. The others follow orders until @lead
 * returns. Returns -errno if MPI cannot be used; prints the error. */
int mpi_run(const struct mpi_work *work, struct mpi_place *place,
	    int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- rank 0, in @lead ---- */

/* Gives the order to all ranks, also to itself. Returns the parts of all ranks, which the caller
 * frees. */
void *mpi_ask(const void *order);
/* As mpi_ask(). Another thread calls @poll(@arg) every BEFF_POLL_NS until it returns an error,
 * which is stored in *@stop. On an error of its own, returns NULL with -errno in *@stop, and prints
 * it. */
void *mpi_ask_watched(const void *order, int (*poll)(void *), void *arg, int *stop);
/* All ranks enter the cgroups of @session. Returns 0 or -errno; prints the error. */
int mpi_enter_groups(const struct session *session);
/* All ranks return to their former cgroups, if they entered others. */
void mpi_leave_groups(void);

#endif
