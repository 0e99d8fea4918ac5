/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks of b_eff_io that mpirun has started: whoever wants beff_mpiio enters first. */
#ifndef IOSPAN_BENCH_BEFF_MPI_H
#define IOSPAN_BENCH_BEFF_MPI_H

/* -errno, printed. Then all must leave. */
int beff_mpi_enter(unsigned *rank, unsigned *ranks);
/* All but rank 0: does what that says, until it leaves. */
void beff_mpi_serve(void);
void beff_mpi_leave(void);

#endif
