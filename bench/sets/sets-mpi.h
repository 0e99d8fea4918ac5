/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine mpiio of bench sets: ranks that mpirun has started on this machine, and what their
 * MPI makes of reads. */
#ifndef IOSPAN_BENCH_SETS_MPI_H
#define IOSPAN_BENCH_SETS_MPI_H

#include "bench/load/others.h"
#include "bench/sets/sets.h"

/* In @lead there may be runs by them; all else as of mpi_run() (mpi-ranks.h). */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

/* ---- in @lead ---- */

const char *sets_mpi_version(void);
/* All go into the session's groups, if there is one, and back. -errno, printed. */
int sets_mpi_begin(struct sets *s);
void sets_mpi_end(void);
/* One run; what the ranks took of the processors is added to what others have had at @before.
 * -EINTR, not printed: we are asked to end. Else -errno, printed. */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

#endif
