/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine mpiio of bench sets: ranks that mpirun started on this machine read with MPI-IO. */
#ifndef IOSPAN_BENCH_SETS_MPI_H
#define IOSPAN_BENCH_SETS_MPI_H

#include "bench/load/others.h"
#include "bench/sets/sets.h"

/* As mpi_run() in mpi-ranks.h. @lead may use the functions below. */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- in @lead ---- */

const char *sets_mpi_version(void);
/* All ranks enter the cgroups of the session, if there is one. Returns 0 or -errno; prints the
 * error. */
int sets_mpi_begin(struct sets *s);
/* All ranks return to their former cgroups. */
void sets_mpi_end(void);
/* One run. Adds the CPU time of the ranks to before->busy_ns, so that it does not count as that of
 * other programs. Returns 0 or -errno; prints the error, except -EINTR (a signal). */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

#endif
