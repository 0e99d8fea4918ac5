/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MPI_MPIIO_H
#define IOSPAN_MPI_MPIIO_H

#include "bench/mpi/ranks.h"

bool ranks_pointer_works(const char *dir);
void ranks_beff_end(void); /* in whatever state it is */

#endif
