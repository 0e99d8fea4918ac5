/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this shared object have in common. */
#ifndef IOSPAN_MPI_RANKS_H
#define IOSPAN_MPI_RANKS_H

#include <mpi.h>

#include "bench/beff/mpi-api.h"

/* Of the first @n ranks, which make it together the first time. */
MPI_Comm ranks_first(unsigned n);
/* 0 or -errno, for what a call of MPI has returned. */
int ranks_errno(int ret);
/* MPI_INFO_NULL when there are none. */
MPI_Info ranks_info(const struct beff_hints_now *hints);
void ranks_free_info(MPI_Info *info);
/* Takes no processor from those that are not there yet. */
void ranks_barrier(MPI_Comm comm);

/* bench sets. */
extern const struct mpi_reader ranks_reader;

/* b_eff_io. */
extern const struct beff_io ranks_beff;

#endif
