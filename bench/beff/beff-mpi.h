/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks of b_eff_io that mpirun has started. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* In @lead beff_mpiio can be used; all else as of mpi_run() (mpi-ranks.h). */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
