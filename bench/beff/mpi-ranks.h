/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this command that mpirun has started ("ranks"), on as many machines as it likes:
 * rank 0 leads, the others do what it says. */
#ifndef IOSPAN_BENCH_MPI_RANKS_H
#define IOSPAN_BENCH_MPI_RANKS_H

#include "bench/beff/mpi-api.h"

/* What a rank does of an order, which is the same for all; what came of it is its part. */
struct mpi_work {
	void (*obey)(const void *order, void *part);
	size_t order_bytes, part_bytes;
	size_t shared_bytes;
};

struct mpi_place {
	const struct mpi *library;
	unsigned rank, ranks;
	void *shared; /* by all, zeroes; NULL: they are on several machines */
};

/* Finds the rank's @place, from where on signals are caught. Rank 0 does @lead(@arg, how many there
 * are), whose result this is; the others do what that says, until it returns. -errno, printed. */
int mpi_run(const struct mpi_work *work, struct mpi_place *place,
	    int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- what rank 0 does ---- */

/* The parts of all, which the caller frees. */
void *mpi_ask(const void *order);
/* The same. Meanwhile another thread calls @poll(@arg) every BEFF_LOOK_NS, until that does not
 * return 0; this is then in *@asked. NULL: -errno, printed, is there. */
void *mpi_ask_watched(const void *order, int (*poll)(void *), void *arg, int *asked);
/* All go into the groups of @session; -errno, printed. And back to where they came from. */
int mpi_enter_groups(const struct session *session);
void mpi_leave_groups(void);

#endif
