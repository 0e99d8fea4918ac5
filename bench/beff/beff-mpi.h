/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks of b_eff_io that mpirun started. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* As mpi_run() in mpi-ranks.h. @lead may use the engine beff_mpiio. */
int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

#endif
