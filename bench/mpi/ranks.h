/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the files of libiospan-mpi.so share. */
#ifndef IOSPAN_MPI_RANKS_H
#define IOSPAN_MPI_RANKS_H

#include <mpi.h>

#include "bench/beff/mpi-api.h"

/* Returns the communicator of the first @n ranks. For each @n, all these ranks must make the first
 * call together. */
MPI_Comm ranks_first(unsigned n);
/* Translates the result of an MPI call to 0 or -errno. */
int ranks_errno(int ret);
/* Returns an MPI_Info with the hints, or MPI_INFO_NULL if there are none. Release it with
 * ranks_free_info(). */
MPI_Info ranks_info(const struct beff_hints_now *hints);
void ranks_free_info(MPI_Info *info);
/* A barrier in which a rank sleeps while it waits, and so uses hardly any CPU time. */
void ranks_barrier(MPI_Comm comm);

/* functions for bench sets */
extern const struct mpi_reader ranks_reader;

/* functions for b_eff_io */
extern const struct beff_io ranks_beff;

#endif
