// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes MPI-IO calls of known number and size in each rank (process), for mpi.c. It has two builds.
 * The build without WITH_MPI is a program without MPI. It loads the build with WITH_MPI as a
 * module, as Python does. */
#ifdef WITH_MPI
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(cond) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "line %d: not so: %s\n", __LINE__, #cond); \
			MPI_Abort(MPI_COMM_WORLD, 1); \
		} \
	} while (0)
#define OK(call) CHECK((call) == MPI_SUCCESS)

static int ints[1000];

/* Each rank makes 6 writes of 400 bytes and 1 sync. The last write is a split collective call
 * (MPI_File_write_at_all_begin and _end), which is counted only once. */
static void writes(MPI_File f, int rank)
{
	MPI_Status status;
	int n;

	OK(MPI_File_write_at(f, rank * 400, ints, 100, MPI_INT, &status));
	OK(MPI_Get_count(&status, MPI_INT, &n));
	CHECK(n == 100);
	OK(MPI_File_write_at_all(f, 800 + rank * 400, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_write_shared(f, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_write_ordered(f, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_seek(f, rank * 400, MPI_SEEK_SET));
	OK(MPI_File_write(f, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_write_at_all_begin(f, rank * 400, ints, 100, MPI_INT));
	OK(MPI_File_write_at_all_end(f, ints, MPI_STATUS_IGNORE));
	OK(MPI_File_sync(f));
}

/* Each rank makes 3 reads of 400 bytes, one that returns 40 of 400 bytes, and 2 that fail. During
 * the third read, the rank makes a POSIX read of 10 bytes. At the end, it makes 3 asynchronous
 * writes, which must not be counted. */
static void reads(MPI_File f, MPI_File only, int rank)
{
	int fd = open("mpi-file", O_RDONLY), request_n = 3;
	MPI_Datatype three;
	MPI_Request request;
	MPI_Offset size;

	OK(MPI_File_get_size(f, &size));
	OK(MPI_File_read_at(f, rank * 400, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_File_read_all(f, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	OK(MPI_Type_contiguous(10, MPI_INT, &three));
	OK(MPI_Type_commit(&three));
	OK(MPI_File_read_at_all_begin(f, 0, ints, 10, three));
	OK(MPI_Type_free(&three));
	CHECK(read(fd, ints, 10) == 10);
	OK(MPI_File_read_at_all_end(f, ints, MPI_STATUS_IGNORE));
	OK(MPI_File_read_at(f, size - 40, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(MPI_File_read_at(only, 0, ints, 100, MPI_INT, MPI_STATUS_IGNORE));
	CHECK(MPI_File_read_at(f, 0, ints, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
	while (request_n--) {
		OK(MPI_File_iwrite_at(f, 0, ints, 100, MPI_INT, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	}
	close(fd);
}

int mpi_main(int argc, char **argv)
{
	MPI_File f, only;
	int rank;

	OK(MPI_Init(&argc, &argv));
	OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	OK(MPI_File_open(MPI_COMM_WORLD, "mpi-file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			 &f));
	OK(MPI_File_open(MPI_COMM_WORLD, "mpi-only", MPI_MODE_CREATE | MPI_MODE_WRONLY,
			 MPI_INFO_NULL, &only));
	writes(f, rank);
	MPI_Barrier(MPI_COMM_WORLD);
	reads(f, only, rank);
	OK(MPI_File_close(&f));
	OK(MPI_File_close(&only));
	return MPI_Finalize();
}

#ifndef MODULE
int main(int argc, char **argv)
{
	return mpi_main(argc, argv);
}
#endif
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *module = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
	int (*mpi_main)(int, char **) = module ? dlsym(module, "mpi_main") : NULL;

	if (!mpi_main) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return mpi_main(1, argv);
}
#endif
