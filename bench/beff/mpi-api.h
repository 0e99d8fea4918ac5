/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the command and bench/mpi/, which is a shared object of its own,
 * libiospan-mpi.so. The command loads it only for MPI, so it runs on machines without MPI. */
#ifndef IOSPAN_BENCH_MPI_H
#define IOSPAN_BENCH_MPI_H

#include "bench/beff/engine.h"
#include "bench/load/sieve.h"

/* A file that the ranks 0 to .ranks - 1 read together. */
struct mpi_file {
	char path[64];
	u64 ranks, bytes;	/* number of ranks that read; bytes that each of them reads */
	struct regions regions; /* layout of the data; .size 0: one contiguous part per rank */
	struct beff_hints_now hints;
};

/* Functions that read one file at a time with MPI-IO. They return 0 or -errno. */
struct mpi_reader {
	int (*open)(const struct mpi_file *f, unsigned rank);
	/* Reads the next @bytes of this rank's data. */
	int (*read)(void *to, u64 bytes);
	void (*close)(void);
	void (*barrier)(void);
};

struct mpi {
	/* Starts MPI; returns 0 or -errno. */
	int (*begin)(unsigned *rank, unsigned *ranks);
	void (*end)(void);
	const char *(*version)(void);
	/* Returns zeroed memory that all ranks share; NULL if they are on several machines. */
	void *(*share)(size_t bytes);
	/* Copies @data of rank 0 to @data of all ranks. */
	void (*broadcast)(void *data, size_t bytes);
	/* Copies @own of each rank into @all of rank 0. */
	void (*gather)(const void *own, void *all, size_t bytes);

	const struct beff_io *beff;
	/* Returns true if shared file pointers work in @dir. All ranks call it and get the same
	 * result. */
	bool (*pointer_works)(const char *dir);
	const struct mpi_reader *reader;
};

#define MPI_SYMBOL "iospan_mpi"
#define MPI_LIBRARY "libiospan-mpi.so"

#endif
