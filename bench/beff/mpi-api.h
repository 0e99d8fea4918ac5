/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between iospan and libiospan-mpi.so, which is built from bench/mpi/. iospan loads
 * this library only if MPI is used, so iospan also runs on machines without MPI. A rank is a
 * process that mpirun started. Ranks may read regions of a file, with holes between them. */
#ifndef IOSPAN_BENCH_MPI_H
#define IOSPAN_BENCH_MPI_H

#include "bench/beff/engine.h"
#include "bench/load/sieve.h"

/* A file that the ranks 0 to .ranks - 1 read together. */
struct mpi_file {
	char path[64];
	/* .ranks: number of ranks that read. .bytes: bytes that each rank reads. */
	u64 ranks, bytes;
	/* regions to read; if .size is 0, each rank reads one contiguous part */
	struct regions regions;
	struct beff_hints_now hints;
};

/* Reads a file with MPI-IO, one file at a time. The functions return 0 or -errno; open() returns 1
 * if only other ranks could not open the file. */
struct mpi_reader {
	int (*open)(const struct mpi_file *f, unsigned rank);
	int (*read)(void *to, u64 bytes);
	void (*close)(void);
	void (*barrier)(void);
};

struct mpi {
	int (*begin)(unsigned *rank, unsigned *ranks);
	void (*end)(void);
	const char *(*version)(void);
	/* Returns zeroed memory that all ranks share; NULL if the ranks are on several machines. */
	void *(*share)(size_t bytes);
	/* Copies @data from rank 0 to all other ranks. */
	void (*broadcast)(void *data, size_t bytes);
	/* Collects data on rank 0: copies @own of each rank into the array @all of rank 0. */
	void (*gather)(const void *own, void *all, size_t bytes);

	const struct beff_io *beff;
	/* Tests if the ranks can share a file pointer in the directory @dir. All ranks must call
	 * this at the same time; all get the same result. */
	bool (*pointer_works)(const char *dir);
	const struct mpi_reader *reader;
};

#define MPI_SYMBOL "iospan_mpi"
#define MPI_LIBRARY "libiospan-mpi.so"

#endif
