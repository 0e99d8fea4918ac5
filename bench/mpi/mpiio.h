/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MPI_MPIIO_H
#define IOSPAN_MPI_MPIIO_H

#include "bench/mpi/ranks.h"

/* pointer_works() of struct mpi: returns true if shared file pointers work in @dir. */
bool ranks_pointer_works(const char *dir);
/* Closes the file if an interrupted pattern left it open. */
void ranks_beff_end(void);

#endif
