/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the files of libiospan-mpi.so share. */
#ifndef IOSPAN_MPI_RANKS_H
#define IOSPAN_MPI_RANKS_H

#include <mpi.h>

#include "bench/beff/mpi-api.h"

/* Communicator of the first @n ranks. The first call for an @n is collective over these ranks. */
MPI_Comm ranks_first(unsigned n);
/* Translates the result of an MPI call to 0 or -errno. */
int ranks_errno(int ret);
/* MPI_INFO_NULL if there are no hints. Release with ranks_free_info(). */
MPI_Info ranks_info(const struct beff_hints_now *hints);
void ranks_free_info(MPI_Info *info);
/* A barrier that uses no CPU time while it waits. */
void ranks_barrier(MPI_Comm comm);

/* bench sets. */
extern const struct mpi_reader ranks_reader;

/* b_eff_io. */
extern const struct beff_io ranks_beff;

#endif
