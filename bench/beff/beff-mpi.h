/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs b_eff_io (effective I/O bandwidth) with MPI. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* Runs b_eff_io on the processes (ranks) that mpirun started. Rank 0 calls @lead(@arg, number of
 * ranks), which may use the MPI-IO engine beff_mpiio (engine.h). */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
