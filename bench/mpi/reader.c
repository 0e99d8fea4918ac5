// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads of bench sets: MPI-IO's own, with views as HPIO has them. */
#include "bench/mpi/ranks.h"

#include <errno.h>

/* Of this rank. */
static struct {
	MPI_Comm comm;
	MPI_File file;
	bool collective;
} own = { .file = MPI_FILE_NULL };

/* Bytes that are wanted behind one another, or regions with holes between them. */
static int view(const struct mpi_file *f, unsigned rank, MPI_Info info)
{
	const struct regions *r = &f->regions;
	MPI_Datatype type = MPI_BYTE;
	MPI_Offset begin = r->size ? region_place(r, rank, f->ranks, 0) : rank * f->bytes;
	int ret;

	if (r->size) {
		MPI_Type_create_hvector(f->bytes / r->size, r->size,
					(r->size + r->spacing) * f->ranks, MPI_BYTE, &type);
		MPI_Type_commit(&type);
	}
	ret = MPI_File_set_view(own.file, begin, MPI_BYTE, type, "native", info);
	if (r->size)
		MPI_Type_free(&type);
	return ret;
}

static int open_file(const struct mpi_file *f, unsigned rank)
{
	MPI_Info info = ranks_info(&f->hints);
	int ret;

	own.comm = ranks_first(f->ranks);
	own.collective = f->regions.shared;
	ret = MPI_File_open(own.comm, f->path, MPI_MODE_RDONLY, info, &own.file);
	if (ret == MPI_SUCCESS)
		ret = view(f, rank, info);
	ranks_free_info(&info);
	return ranks_errno(ret);
}

static int read_next(void *to, u64 bytes)
{
	MPI_Status status;
	int n = 0,
	    ret = own.collective ? MPI_File_read_all(own.file, to, bytes, MPI_BYTE, &status) :
				   MPI_File_read(own.file, to, bytes, MPI_BYTE, &status);

	if (ret != MPI_SUCCESS)
		return ranks_errno(ret);
	MPI_Get_count(&status, MPI_BYTE, &n);
	return n == (int)bytes ? 0 : -ENODATA;
}

static void close_file(void)
{
	if (own.file != MPI_FILE_NULL)
		MPI_File_close(&own.file);
}

static void barrier(void)
{
	ranks_barrier(own.comm);
}

const struct mpi_reader ranks_reader = {
	.open = open_file,
	.read = read_next,
	.close = close_file,
	.barrier = barrier,
};
