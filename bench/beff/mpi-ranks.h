/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a benchmark on the iospan processes that mpirun started, called ranks. The ranks may be on
 * several machines. Rank 0 gives orders to all ranks. */
#ifndef IOSPAN_BENCH_MPI_RANKS_H
#define IOSPAN_BENCH_MPI_RANKS_H

#include "bench/beff/mpi-api.h"

/* The work of a benchmark under MPI. Rank 0 sends an order to all ranks. Each rank calls .obey(),
 * which writes a result to @part. An order has .order_bytes bytes, and a result .part_bytes bytes.
 * If all ranks are on one machine, they share .shared_bytes bytes of memory. */
struct mpi_work {
	void (*obey)(const void *order, void *part);
	size_t order_bytes, part_bytes;
	size_t shared_bytes;
};

struct mpi_place {
	const struct mpi *library;
	unsigned rank, ranks;
	void *shared;
};

/* Starts MPI, fills in @place for this rank, and catches signals. Rank 0 calls @lead and returns
 * its result. The other ranks obey orders until @lead returns. Returns -errno if MPI cannot be
 * used; prints the error. */
int mpi_run(const struct mpi_work *work, struct mpi_place *place,
	    int (*lead)(void *arg, unsigned ranks), void *arg);

/* Sends @order, work to do, to all ranks, and waits until they have done it. Returns an array of
 * their results, which the caller frees. */
void *mpi_ask(const void *order);
/* Works like mpi_ask(). In addition, a thread calls @poll(@arg) every BEFF_POLL_NS during the work.
 * If @poll returns an error, the thread stores it in *@stop and ends. If the thread cannot start,
 * prints the error and returns NULL. */
void *mpi_ask_watched(const void *order, int (*poll)(void *), void *arg, int *stop);
/* Moves all ranks into the cgroups of @session, so that iospan measures them. Returns 0 or -errno;
 * prints the error. */
int mpi_enter_groups(const struct session *session);
/* Moves all ranks back to the cgroups that they had before mpi_enter_groups(). */
void mpi_leave_groups(void);

#endif
