/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs bench sets with MPI (--engine mpiio): the processes (ranks) that mpirun started on this
 * machine read the files. A case is one workload of a set; it has several runs. */
#ifndef IOSPAN_BENCH_SETS_MPI_H
#define IOSPAN_BENCH_SETS_MPI_H

#include "bench/load/others.h"
#include "bench/sets/sets.h"

/* Runs MPI by mpi_run() (mpi-ranks.h). Rank 0 calls @lead, which may use the functions below. */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

const char *sets_mpi_version(void);
/* Moves all ranks into the cgroup of the session, if there is one, so that iospan measures them.
 * Returns 0 or -errno; prints the error. */
int sets_mpi_begin(struct sets *s);
/* Moves all ranks back to the cgroups from which they came. */
void sets_mpi_end(void);
/* Makes one run of the case @c on the file @fd, and sets @app to the sum over all ranks. Adds the
 * CPU time of the ranks to @before->busy_ns. Otherwise, others_since(@before) would include this
 * time in the CPU time of other programs. Returns 0 or -errno; prints the error, except -EINTR (a
 * signal). */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

#endif
