// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs b_eff_io with MPI-IO (--engine mpiio), with the calls and file views of revision 2.1. A
 * pattern is a series of accesses of equal size. An extension is a pattern that revision 2.1 does
 * not have. */
#include "bench/mpi/ranks.h"

#include <errno.h>
#include <stdio.h>

#define ELEMENT 8

static struct {
	MPI_Comm comm; /* communicator of the ranks of the current partition, a group of ranks */
	MPI_File file;
} own = { .file = MPI_FILE_NULL };

static void mpiio_join(struct beff_rank *r)
{
	own.comm = ranks_first(r->step->shape.ranks);
}

static bool is_strided(const struct beff_rank *r)
{
	return r->step->type == BEFF_SCATTER ||
		(r->step->type == BEFF_SHARED && !r->setup->shared_pointer);
}

static int mpiio_open(struct beff_rank *r, const char *path)
{
	static const int modes[] = {
		[BEFF_WRITE] = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
		[BEFF_REWRITE] = MPI_MODE_RDWR,
		[BEFF_READ] = MPI_MODE_RDONLY,
	};
	MPI_Comm comm = r->step->type == BEFF_SEPARATED ? MPI_COMM_SELF : own.comm;
	MPI_Offset start = r->step->type >= BEFF_SEGMENTED ? r->number * r->step->shape.segment : 0;
	MPI_Info info = ranks_info(&r->step->hints);
	int ret = ranks_open(comm, path, modes[r->step->access], info, &own.file);

	if (!ret && !is_strided(r))
		ret = ranks_errno(
			MPI_File_set_view(own.file, start, MPI_DOUBLE, MPI_DOUBLE, "native", info));
	ranks_free_info(&info);
	return ret;
}

static int mpiio_close(struct beff_rank *r)
{
	return ranks_errno(MPI_File_close(&own.file));
}

/* Sets the file view of a rank. The rank then sees only its own chunks, which alternate in the file
 * with those of the other ranks. */
static int set_strided_view(const struct beff_rank *r, MPI_Info info)
{
	const struct beff_extent *e = &r->extent;
	int n = r->step->shape.ranks, elements = e->l / ELEMENT, sizes[] = { n, elements };
	int distributions[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE };
	int arguments[] = { MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG };
	int grid[] = { n, 1 }, ret;
	MPI_Datatype type;

	MPI_Type_create_darray(n, r->number, 2, sizes, distributions, arguments, grid, MPI_ORDER_C,
			       MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	ret = MPI_File_set_view(own.file, e->at - r->number * e->l, MPI_DOUBLE, type, "native",
				info);
	MPI_Type_free(&type);
	return ret;
}

/* Sets the file view for a pattern or an extension. If the chunks of the ranks alternate in the
 * file, the view shows each rank its own chunks. In an extension, the view shows the whole file,
 * because the accesses may be anywhere. */
static int mpiio_view(struct beff_rank *r)
{
	MPI_Info info = ranks_info(&r->step->hints);
	int ret = MPI_SUCCESS;

	if (r->step->extension)
		ret = MPI_File_set_view(own.file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", info);
	else if (is_strided(r))
		ret = set_strided_view(r, info);
	else if (info != MPI_INFO_NULL)
		ret = MPI_File_set_info(own.file, info);
	ranks_free_info(&info);
	return ranks_errno(ret);
}

typedef int read_fn(MPI_File file, void *data, int n, MPI_Datatype type, MPI_Status *status);
typedef int write_fn(MPI_File file, const void *data, int n, MPI_Datatype type, MPI_Status *status);

static read_fn *const reads[] = {
	[BEFF_SCATTER] = MPI_File_read_all,  [BEFF_SHARED] = MPI_File_read_ordered,
	[BEFF_SEPARATED] = MPI_File_read,    [BEFF_SEGMENTED] = MPI_File_read,
	[BEFF_SEG_COLL] = MPI_File_read_all,
};
static write_fn *const writes[] = {
	[BEFF_SCATTER] = MPI_File_write_all,  [BEFF_SHARED] = MPI_File_write_ordered,
	[BEFF_SEPARATED] = MPI_File_write,    [BEFF_SEGMENTED] = MPI_File_write,
	[BEFF_SEG_COLL] = MPI_File_write_all,
};

/* Transfers the data of call number @k. In an extension, the file offset depends on @k. In a
 * pattern, the file pointer is already at the next chunk. */
static int mpiio_move(struct beff_rank *r, bool write, u64 k)
{
	enum beff_type type = is_strided(r) ? BEFF_SCATTER : r->step->type;
	/* offset of the access; used only by an extension */
	MPI_Offset at = (r->extent.at + k * r->extent.stride) / ELEMENT;
	int wanted = r->extent.call / ELEMENT, done = 0, ret;
	MPI_Status status;

	if (r->out->error &&
	    (r->step->extension || type == BEFF_SEPARATED || type == BEFF_SEGMENTED))
		return 0;
	if (!r->step->extension)
		ret = write ? writes[type](own.file, r->buffer, wanted, MPI_DOUBLE, &status) :
			      reads[type](own.file, r->buffer, wanted, MPI_DOUBLE, &status);
	else if (write)
		ret = MPI_File_write_at(own.file, at, r->buffer, wanted, MPI_DOUBLE, &status);
	else
		ret = MPI_File_read_at(own.file, at, r->buffer, wanted, MPI_DOUBLE, &status);
	if (ret != MPI_SUCCESS)
		return ranks_errno(ret);
	MPI_Get_count(&status, MPI_DOUBLE, &done);
	return done == wanted ? 0 : write ? -ENOSPC : -ENODATA;
}

static int mpiio_sync(struct beff_rank *r)
{
	return ranks_errno(MPI_File_sync(own.file));
}

static void mpiio_barrier(struct beff_rank *r)
{
	MPI_Barrier(own.comm);
}

static u64 mpiio_agree(struct beff_rank *r, u64 n)
{
	if (r->out->error)
		n = 0;
	MPI_Bcast(&n, 1, MPI_UINT64_T, 0, own.comm);
	return n;
}

/* Returns true if the MPI library and the file system support a shared file pointer. To test this,
 * each rank writes its number twice, in the order of the ranks. The result is true if the file then
 * has these numbers, and the pointer has the right position. */
static bool pointer_moves(MPI_File file, int rank, int ranks)
{
	double mine = rank, seen = -1;
	MPI_Offset at = -1;
	MPI_Status status;
	bool good = true;

	for (int i = 0; i < 2; i++)
		good &= MPI_File_write_ordered(file, &mine, 1, MPI_DOUBLE, &status) == MPI_SUCCESS;
	good &= MPI_File_get_position_shared(file, &at) == MPI_SUCCESS && at == 2 * ranks;
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++) {
		MPI_File_read_at(file, i * ranks + rank, &seen, 1, MPI_DOUBLE, &status);
		good &= seen == mine;
	}
	return good;
}

bool ranks_pointer_works(const char *dir)
{
	int rank, ranks, good, all = 0;
	char path[4096];
	MPI_File file;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(path, sizeof(path), "%s/pointer", dir);
	good = !ranks_open(MPI_COMM_WORLD, path,
			   MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR |
				   MPI_MODE_DELETE_ON_CLOSE,
			   MPI_INFO_NULL, &file);
	if (good) {
		good = MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native",
					 MPI_INFO_NULL) == MPI_SUCCESS &&
			pointer_moves(file, rank, ranks);
		MPI_File_close(&file);
	}
	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

void ranks_beff_end(void)
{
	if (own.file != MPI_FILE_NULL)
		MPI_File_close(&own.file);
}

const struct beff_io ranks_beff = {
	.join = mpiio_join,
	.open = mpiio_open,
	.close = mpiio_close,
	.view = mpiio_view,
	.move = mpiio_move,
	.sync = mpiio_sync,
	.barrier = mpiio_barrier,
	.agree = mpiio_agree,
};
