/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the command and bench/mpi/, which is a shared object of its own,
 * libiospan-mpi.so. So the command runs without MPI, and loads it only if it is used. */
#ifndef IOSPAN_BENCH_MPI_H
#define IOSPAN_BENCH_MPI_H

#include "bench/beff/engine.h"
#include "bench/load/sieve.h"

/* A file that the first @ranks ranks read together. */
struct mpi_file {
	char path[64];
	u64 ranks, bytes;	/* bytes: of each rank */
	struct regions regions; /* layout of the data; size 0: one contiguous part per rank */
	struct beff_hints_now hints;
};

/* Reads one file at a time. The functions return 0 or -errno. */
struct mpi_reader {
	int (*open)(const struct mpi_file *f, unsigned rank);
	int (*read)(void *to, u64 bytes); /* the next @bytes */
	void (*close)(void);
	void (*barrier)(void);
};

struct mpi {
	int (*begin)(unsigned *rank, unsigned *ranks); /* 0 or -errno */
	void (*end)(void);
	const char *(*version)(void);
	/* Zeroed memory that all ranks share; NULL: they are on several machines. */
	void *(*share)(size_t bytes);
	/* Copies rank 0's @data to all ranks. */
	void (*broadcast)(void *data, size_t bytes);
	/* Copies each rank's @own to rank 0's @all. */
	void (*gather)(const void *own, void *all, size_t bytes);

	const struct beff_io *beff;
	/* Do shared file pointers work in @dir? All ranks call it and get the same answer. */
	bool (*pointer_works)(const char *dir);
	const struct mpi_reader *reader;
};

#define MPI_SYMBOL "iospan_mpi"
#define MPI_LIBRARY "libiospan-mpi.so"

#endif
