// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads files with MPI-IO for bench sets, with the file views of HPIO (Ching and others 2006). */
#include "bench/mpi/ranks.h"

#include <errno.h>

static struct {
	MPI_Comm comm;
	MPI_File file;
	bool collective;
} own = { .file = MPI_FILE_NULL };

/* Sets the file view of a rank: one contiguous part of the file, or regions with holes between
 * them. */
static int set_reader_view(const struct mpi_file *f, unsigned rank, MPI_Info info)
{
	const struct regions *r = &f->regions;
	MPI_Datatype type = MPI_BYTE;
	MPI_Offset start = r->size ? region_place(r, rank, f->ranks, 0) : rank * f->bytes;
	int ret;

	if (r->size) {
		MPI_Type_create_hvector(f->bytes / r->size, r->size,
					(r->size + r->spacing) * f->ranks, MPI_BYTE, &type);
		MPI_Type_commit(&type);
	}
	ret = MPI_File_set_view(own.file, start, MPI_BYTE, type, "native", info);
	if (r->size)
		MPI_Type_free(&type);
	return ret;
}

static int reader_open(const struct mpi_file *f, unsigned rank)
{
	MPI_Info info = ranks_info(&f->hints);
	int ret;

	own.comm = ranks_first(f->ranks);
	own.collective = f->regions.shared;
	ret = MPI_File_open(own.comm, f->path, MPI_MODE_RDONLY, info, &own.file);
	if (ret == MPI_SUCCESS)
		ret = set_reader_view(f, rank, info);
	ranks_free_info(&info);
	return ranks_errno(ret);
}

static int reader_read(void *to, u64 bytes)
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

static void reader_close(void)
{
	if (own.file != MPI_FILE_NULL)
		MPI_File_close(&own.file);
}

static void reader_barrier(void)
{
	ranks_barrier(own.comm);
}

const struct mpi_reader ranks_reader = {
	.open = reader_open,
	.read = reader_read,
	.close = reader_close,
	.barrier = reader_barrier,
};
