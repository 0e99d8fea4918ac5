/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranks: processes of MPI. A hint is a key and a value for the MPI library. */
#ifndef IOSPAN_MPI_RANKS_H
#define IOSPAN_MPI_RANKS_H

#include <mpi.h>

#include "bench/beff/mpi-api.h"

/* Returns the communicator of the ranks 0 to @n - 1. The first call for each @n creates it, so all
 * these ranks must make that call together. */
MPI_Comm ranks_first(unsigned n);
/* Converts the result of an MPI call to 0 or -errno. */
int ranks_errno(int ret);
/* Opens a file on all ranks of @comm. If any rank fails, *@file is MPI_FILE_NULL on all ranks.
 * Returns 0 or -errno. Returns 1 if this rank opened the file but another rank failed. The file
 * then stays open, because closing it would wait for that rank. */
int ranks_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file);
/* Returns the hints as an MPI_Info, which ranks_free_info() releases. MPI_INFO_NULL: there are no
 * hints. */
MPI_Info ranks_info(const struct beff_hints_now *hints);
void ranks_free_info(MPI_Info *info);

extern const struct beff_io ranks_beff;

/* Returns true if the ranks can share a file pointer in directory @dir. All ranks must call this
 * function together. */
bool ranks_pointer_works(const char *dir);
/* Closes the file that an interrupted run of b_eff_io has left open. */
void ranks_beff_end(void);

#endif
