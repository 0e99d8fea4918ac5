/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine mpiio of bench sets: ranks that mpirun started on this machine read with MPI-IO. */
#ifndef IOSPAN_BENCH_SETS_MPI_H
#define IOSPAN_BENCH_SETS_MPI_H

#include "bench/load/others.h"
#include "bench/sets/sets.h"

/* Calls mpi_run() (mpi-ranks.h) for bench sets. @lead runs in rank 0 and may use the functions
 * below. */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- functions that @lead calls ---- */

const char *sets_mpi_version(void);
/* Makes all ranks enter the cgroups of the session of @s, if there is one. Returns 0 or -errno;
 * prints the error. */
int sets_mpi_begin(struct sets *s);
/* Makes all ranks return to their former cgroups. */
void sets_mpi_end(void);
/* Makes one run of the case @c on the file @fd, and sets @app to its sum. Adds the CPU time of the
 * ranks to @before->busy_ns, so that it does not count as that of other programs. Returns 0 or
 * -errno; prints the error, except -EINTR (a signal). */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

#endif
