/* SPDX-License-Identifier: GPL-2.0-or-later */
/* b_eff_io with ranks that mpirun started. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* Calls mpi_run() (mpi-ranks.h) for b_eff_io. @lead runs in rank 0 and may use the engine
 * beff_mpiio. */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
