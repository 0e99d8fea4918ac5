// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine mpiio of b_eff_io: calls and views as revision 2.1 has them. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../mpi.h"

#define ELEMENT 8			/* bytes of a MPI_DOUBLE */

/* Of this rank. */
static struct {
	MPI_Comm *first;		/* of the first ranks, by how many they are */
	MPI_Comm comm;			/* of the partition's: one of these */
	int all;			/* ranks that there are */
	MPI_File file;
} own;

static int errno_of(int ret)
{
	int class = MPI_SUCCESS;

	if (ret != MPI_SUCCESS)
		MPI_Error_class(ret, &class);
	switch (class) {
	case MPI_SUCCESS:
		return 0;
	case MPI_ERR_NO_SPACE:
		return -ENOSPC;
	case MPI_ERR_QUOTA:
		return -EDQUOT;
	case MPI_ERR_NO_SUCH_FILE:
		return -ENOENT;
	case MPI_ERR_ACCESS:
		return -EACCES;
	case MPI_ERR_READ_ONLY:
		return -EROFS;
	default:
		return -EIO;
	}
}

/* ---- a file ---- */

static void join(struct beff_rank *r)
{
	MPI_Comm *comm = &own.first[r->step->shape.ranks];
	int range[1][3] = { { 0, (int)r->step->shape.ranks - 1, 1 } };
	MPI_Group world, group;

	if (*comm == MPI_COMM_NULL) {
		MPI_Comm_group(MPI_COMM_WORLD, &world);
		MPI_Group_range_incl(world, 1, range, &group);
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm);
		MPI_Group_free(&group);
		MPI_Group_free(&world);
	}
	own.comm = *comm;
}

/* MPI_INFO_NULL when there are none. */
static MPI_Info info_of(const struct beff_rank *r)
{
	MPI_Info info = MPI_INFO_NULL;

	if (r->step->hints.n)
		MPI_Info_create(&info);
	for (unsigned i = 0; i < r->step->hints.n; i++)
		MPI_Info_set(info, r->step->hints.list[i].key, r->step->hints.list[i].value);
	return info;
}

static void free_info(MPI_Info *info)
{
	if (*info != MPI_INFO_NULL)
		MPI_Info_free(info);
}

static bool is_strided(const struct beff_rank *r)
{
	return r->step->type == BEFF_SCATTER ||
	       (r->step->type == BEFF_SHARED && !r->setup->shared_pointer);
}

static int open_file(struct beff_rank *r, const char *path)
{
	static const int modes[] = {
		[BEFF_WRITE] = MPI_MODE_CREATE | MPI_MODE_RDWR, [BEFF_REWRITE] = MPI_MODE_RDWR,
		[BEFF_READ] = MPI_MODE_RDONLY,
	};
	MPI_Comm comm = r->step->type == BEFF_SEPARATED ? MPI_COMM_SELF : own.comm;
	MPI_Offset begin = r->step->type >= BEFF_SEGMENTED ?
			   r->number * r->step->shape.segment : 0;
	MPI_Info info = info_of(r);
	int ret = MPI_File_open(comm, path, modes[r->step->access], info, &own.file);

	if (ret == MPI_SUCCESS && !is_strided(r))
		ret = MPI_File_set_view(own.file, begin, MPI_DOUBLE, MPI_DOUBLE, "native", info);
	free_info(&info);
	return errno_of(ret);
}

static int close_file(struct beff_rank *r)
{
	return errno_of(MPI_File_close(&own.file));
}

static int set_hints(const struct beff_rank *r)
{
	MPI_Info info = info_of(r);
	int ret = info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_File_set_info(own.file, info);

	free_info(&info);
	return errno_of(ret);
}

/* Strided chunks have a view of their own for each pattern. */
static int view(struct beff_rank *r)
{
	const struct beff_extent *e = &r->extent;
	MPI_Info info;
	int n = r->step->shape.ranks, elements = e->l / ELEMENT, sizes[] = { n, elements };
	int shares[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE };
	int arguments[] = { MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG };
	int grid[] = { n, 1 }, ret;
	MPI_Datatype type;

	if (!is_strided(r))
		return set_hints(r);
	info = info_of(r);
	MPI_Type_create_darray(n, r->number, 2, sizes, shares, arguments, grid, MPI_ORDER_C,
			       MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	ret = MPI_File_set_view(own.file, e->at - r->number * e->l, MPI_DOUBLE, type, "native",
				info);
	free_info(&info);
	MPI_Type_free(&type);
	return errno_of(ret);
}

typedef int call_fn(MPI_File file, void *data, int n, MPI_Datatype type, MPI_Status *status);

static int write_all(MPI_File f, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_write_all(f, data, n, type, status);
}

static int write_ordered(MPI_File f, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_write_ordered(f, data, n, type, status);
}

static int write_own(MPI_File f, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_write(f, data, n, type, status);
}

/* By the rank's pointer, or the shared one, which go on from call to call. */
static int move(struct beff_rank *r, bool write, u64 k)
{
	static call_fn *const calls[][2] = {
		[BEFF_SCATTER] = { MPI_File_read_all, write_all },
		[BEFF_SHARED] = { MPI_File_read_ordered, write_ordered },
		[BEFF_SEPARATED] = { MPI_File_read, write_own },
		[BEFF_SEGMENTED] = { MPI_File_read, write_own },
		[BEFF_SEG_COLL] = { MPI_File_read_all, write_all },
	};
	enum beff_type type = is_strided(r) ? BEFF_SCATTER : r->step->type;
	int wanted = r->extent.call / ELEMENT, done = 0, ret;
	MPI_Status status;

	if (r->out->error && (type == BEFF_SEPARATED || type == BEFF_SEGMENTED))
		return 0;
	ret = calls[type][write](own.file, r->buffer, wanted, MPI_DOUBLE, &status);
	if (ret != MPI_SUCCESS)
		return errno_of(ret);
	MPI_Get_count(&status, MPI_DOUBLE, &done);
	return done == wanted ? 0 : write ? -ENOSPC : -ENODATA;
}

static int sync_file(struct beff_rank *r)
{
	return errno_of(MPI_File_sync(own.file));
}

/* ---- ranks ---- */

static void barrier(struct beff_rank *r)
{
	MPI_Barrier(own.comm);
}

static u64 agree(struct beff_rank *r, u64 n)
{
	if (r->out->error)
		n = 0;
	MPI_Bcast(&n, 1, MPI_UINT64_T, 0, own.comm);
	return n;
}

static int begin(unsigned *rank, unsigned *ranks)
{
	int number, level;

	/* rank 0 has another thread, which does not call MPI */
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
		return -EIO;
	MPI_Comm_rank(MPI_COMM_WORLD, &number);
	MPI_Comm_size(MPI_COMM_WORLD, &own.all);
	own.first = malloc((own.all + 1) * sizeof(*own.first));
	if (!own.first)
		return -ENOMEM;
	for (int i = 0; i <= own.all; i++)
		own.first[i] = MPI_COMM_NULL;
	own.file = MPI_FILE_NULL;
	*rank = number;
	*ranks = own.all;
	return 0;
}

static void end(void)
{
	if (own.file != MPI_FILE_NULL)	/* of a pattern that was cut */
		MPI_File_close(&own.file);
	for (int i = 0; i <= own.all; i++)
		if (own.first[i] != MPI_COMM_NULL)
			MPI_Comm_free(&own.first[i]);
	free(own.first);
	MPI_Finalize();
}

static const char *version(void)
{
	static char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;

	MPI_Get_library_version(text, &n);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void *share(size_t bytes)
{
	MPI_Aint size;
	MPI_Comm here;
	MPI_Win window;
	int near, rank, unit;
	void *at;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &near);
	MPI_Comm_rank(here, &rank);
	if (near < own.all)
		return NULL;
	MPI_Win_allocate_shared(rank ? 0 : bytes, 1, MPI_INFO_NULL, here, &at, &window);
	MPI_Win_shared_query(window, 0, &size, &unit, &at);
	if (!rank)
		memset(at, 0, bytes);
	MPI_Barrier(here);
	return at;
}

/* Whoever has nothing to do leaves its processor to those that have: an MPI would spin. */
static void tell(void *data, size_t bytes)
{
	const struct timespec moment = { .tv_nsec = 500000 };
	MPI_Request request;
	int done = 0;

	MPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		nanosleep(&moment, NULL);
	}
}

static void gather(const void *of, void *all, size_t bytes)
{
	MPI_Gather(of, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* ---- shared pointers: absent or wrong in many an MPI ---- */

/* Twice, each rank its number, in their order; then the pointer is behind all. */
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

static bool pointer_works(const char *dir)
{
	int rank, good, all = 0;
	char path[4096];
	MPI_File file;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "%s/pointer", dir);
	good = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR |
			     MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) == MPI_SUCCESS;
	if (good) {
		good = MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native",
					 MPI_INFO_NULL) == MPI_SUCCESS &&
		       pointer_moves(file, rank, own.all);
		MPI_File_close(&file);
	}
	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

__attribute__((visibility("default"))) extern const struct beff_mpi beff_mpi;
const struct beff_mpi beff_mpi = {
	.io = {
		.join = join, .open = open_file, .close = close_file, .view = view, .move = move,
		.sync = sync_file, .barrier = barrier, .agree = agree,
	},
	.begin = begin, .end = end, .version = version, .share = share, .tell = tell,
	.gather = gather, .pointer_works = pointer_works,
};
