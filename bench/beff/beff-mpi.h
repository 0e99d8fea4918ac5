/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs b_eff_io on processes that mpirun started. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* Runs b_eff_io under MPI by mpi_run() (mpi-ranks.h). Rank 0 calls @lead, which may use the engine
 * beff_mpiio. */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
