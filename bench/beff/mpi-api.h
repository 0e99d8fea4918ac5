/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the command and bench/mpi/, which is a shared object of its own, libiospan-mpi.so:
 * who has no MPI does without, and who uses none does not load it. It knows only this and the
 * headers. */
#ifndef IOSPAN_BENCH_MPI_H
#define IOSPAN_BENCH_MPI_H

#include "bench/beff/engine.h"
#include "bench/load/sieve.h"

/* A file that the first ranks read together. */
struct mpi_file {
	char path[64];
	u64 ranks, bytes;	/* of each rank's data */
	struct regions regions; /* that they are in; size 0: one part behind the other */
	struct beff_hints_now hints;
};

/* Of one file at a time. All return -errno. */
struct mpi_reader {
	int (*open)(const struct mpi_file *f, unsigned rank);
	int (*read)(void *to, u64 bytes); /* the next ones */
	void (*close)(void);
	void (*barrier)(void);
};

struct mpi {
	int (*begin)(unsigned *rank, unsigned *ranks); /* 0: done */
	void (*end)(void);
	const char *(*version)(void);
	/* Memory of zeroes that all ranks have; NULL: they are on several machines. */
	void *(*share)(size_t bytes);
	/* What rank 0 has in it all have then; what each has in @own rank 0 has in @all. */
	void (*tell)(void *data, size_t bytes);
	void (*gather)(const void *own, void *all, size_t bytes);

	const struct beff_io *beff;
	/* Do shared pointers of files work in this directory? On all ranks. */
	bool (*pointer_works)(const char *dir);
	const struct mpi_reader *reader;
};

#define MPI_SYMBOL "iospan_mpi"
#define MPI_LIBRARY "libiospan-mpi.so"

#endif
