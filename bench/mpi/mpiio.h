/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The MPI-IO engine of b_eff_io. A rank is a process of MPI. A pattern is a series of calls that
 * transfer chunks of one size. */
#ifndef IOSPAN_MPI_MPIIO_H
#define IOSPAN_MPI_MPIIO_H

#include "bench/mpi/ranks.h"

/* Returns true if the ranks can share a file pointer in directory @dir. All ranks must call this
 * function together. */
bool ranks_pointer_works(const char *dir);
/* Closes the file that an interrupted pattern has left open. */
void ranks_beff_end(void);

#endif
