/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs bench sets with MPI (--engine mpiio), by the processes of mpirun on this machine. */
#ifndef IOSPAN_BENCH_SETS_MPI_H
#define IOSPAN_BENCH_SETS_MPI_H

#include "bench/load/others.h"
#include "bench/sets/sets.h"

/* Runs MPI by mpi_run() (mpi-ranks.h). Rank 0 calls @lead, which may use the functions below. */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

const char *sets_mpi_version(void);
/* Moves all ranks into the session's cgroup, if any. Returns 0 or -errno; prints the error. */
int sets_mpi_begin(struct sets *s);
/* Moves all ranks back to the cgroups from which they came. */
void sets_mpi_end(void);
/* Runs the case on all ranks; @app gets their sum. Their CPU time is added to @before->busy_ns, so
 * that it does not count as others'. Returns 0 or -errno; prints the error, except -EINTR. */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

#endif
