/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this command that mpirun started, called ranks. They may be on several machines.
 * Rank 0 gives orders to all ranks. */
#ifndef IOSPAN_BENCH_MPI_RANKS_H
#define IOSPAN_BENCH_MPI_RANKS_H

#include "bench/beff/mpi-api.h"

/* The work of the ranks. Rank 0 sends the same order to all ranks; obey() of each rank writes its
 * result to @part. */
struct mpi_work {
	void (*obey)(const void *order, void *part);
	size_t order_bytes, part_bytes;
	size_t shared_bytes;
};

struct mpi_place {
	const struct mpi *library;
	unsigned rank, ranks;
	void *shared; /* zeroed memory that all ranks share; NULL: they are on several machines */
};

/* Starts MPI and sets @place of this rank; signals are caught from then on. Rank 0 calls
 * @lead(@arg, number of ranks) and returns its result. The other ranks follow orders until @lead
 * has returned. Returns -errno if MPI cannot be used; prints the error. */
int mpi_run(const struct mpi_work *work, struct mpi_place *place,
	    int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- functions that @lead calls in rank 0 ---- */

/* Gives the order to all ranks, rank 0 included, and waits for them. Returns an array of their
 * results, which the caller frees. */
void *mpi_ask(const void *order);
/* Works like mpi_ask(). Meanwhile, another thread calls @poll(@arg) every BEFF_POLL_NS until that
 * returns an error, which is stored in *@stop. If the thread cannot be started, returns NULL,
 * stores -errno in *@stop, and prints the error. */
void *mpi_ask_watched(const void *order, int (*poll)(void *), void *arg, int *stop);
/* Makes all ranks enter the cgroups of @session. Returns 0 or -errno; prints the error. */
int mpi_enter_groups(const struct session *session);
/* Makes all ranks return to their former cgroups, if mpi_enter_groups() was called. */
void mpi_leave_groups(void);

#endif
