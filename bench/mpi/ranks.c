// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts MPI, and lets the ranks (its processes) exchange data and read files. These functions are
 * in struct mpi (mpi-api.h). */
#include "bench/mpi/ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
	/* first[n]: communicator of the ranks 0 to n - 1; it is made when it is first needed */
	MPI_Comm *first;
	int all;
} own;

int ranks_errno(int ret)
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

MPI_Comm ranks_first(unsigned n)
{
	int range[1][3] = { { 0, (int)n - 1, 1 } };
	MPI_Comm *comm = &own.first[n];
	MPI_Group world, group;

	if (*comm == MPI_COMM_NULL) {
		MPI_Comm_group(MPI_COMM_WORLD, &world);
		MPI_Group_range_incl(world, 1, range, &group);
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm);
		MPI_Group_free(&group);
		MPI_Group_free(&world);
	}
	return *comm;
}

/* Some MPI libraries report an error only on the rank that has it. The other ranks must know of it,
 * because they would wait for this rank in the next collective call. */
int ranks_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
	int ret = ranks_errno(MPI_File_open(comm, path, mode, info, file));
	int mine = ret != 0, any = 0;

	MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
	if (any)
		*file = MPI_FILE_NULL;
	return ret || !any ? ret : 1;
}

MPI_Info ranks_info(const struct beff_hints_now *hints)
{
	MPI_Info info = MPI_INFO_NULL;

	if (hints->n)
		MPI_Info_create(&info);
	for (unsigned i = 0; i < hints->n; i++)
		MPI_Info_set(info, hints->list[i].key, hints->list[i].value);
	return info;
}

void ranks_free_info(MPI_Info *info)
{
	if (*info != MPI_INFO_NULL)
		MPI_Info_free(info);
}

/* Waits until the MPI request @done is complete, and sleeps between tests. MPI_Wait() would spin,
 * and keep other ranks from the processor. */
static void sleep_until(MPI_Request *done)
{
	const struct timespec moment = { .tv_nsec = 500000 };
	int is_done = 0;

	for (;;) {
		MPI_Test(done, &is_done, MPI_STATUS_IGNORE);
		if (is_done)
			return;
		nanosleep(&moment, NULL);
	}
}

static int ranks_begin(unsigned *rank, unsigned *ranks)
{
	int number, level;

	/* MPI_THREAD_FUNNELED suffices: the second thread of rank 0 does not call MPI */
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
		return -EIO;
	MPI_Comm_rank(MPI_COMM_WORLD, &number);
	MPI_Comm_size(MPI_COMM_WORLD, &own.all);
	own.first = malloc((own.all + 1) * sizeof(*own.first));
	if (!own.first)
		return -ENOMEM;
	for (int i = 0; i <= own.all; i++)
		own.first[i] = MPI_COMM_NULL;
	*rank = number;
	*ranks = own.all;
	return 0;
}

static void ranks_end(void)
{
	ranks_beff_end();
	for (int i = 0; i <= own.all; i++)
		if (own.first[i] != MPI_COMM_NULL)
			MPI_Comm_free(&own.first[i]);
	free(own.first);
	MPI_Finalize();
}

static const char *ranks_version(void)
{
	static char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;

	MPI_Get_library_version(text, &n);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void *ranks_share(size_t bytes)
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

static void ranks_broadcast(void *data, size_t bytes)
{
	MPI_Request done;

	MPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &done);
	sleep_until(&done);
}

static void ranks_gather(const void *part, void *all, size_t bytes)
{
	MPI_Request done;

	MPI_Igather(part, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &done);
	sleep_until(&done);
}

/* the file that bench sets reads, with the file views of HPIO (Ching and others 2006) */
static struct {
	MPI_Comm comm;
	MPI_File file;
	bool collective;
} reader = { .file = MPI_FILE_NULL };

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
	ret = MPI_File_set_view(reader.file, start, MPI_BYTE, type, "native", info);
	if (r->size)
		MPI_Type_free(&type);
	return ret;
}

static int reader_open(const struct mpi_file *f, unsigned rank)
{
	MPI_Info info = ranks_info(&f->hints);
	int ret;

	reader.comm = ranks_first(f->ranks);
	reader.collective = f->regions.shared;
	ret = ranks_open(reader.comm, f->path, MPI_MODE_RDONLY, info, &reader.file);
	if (!ret)
		ret = ranks_errno(set_reader_view(f, rank, info));
	ranks_free_info(&info);
	return ret;
}

static int reader_read(void *to, u64 bytes)
{
	MPI_Status status;
	int n = 0,
	    ret = reader.collective ? MPI_File_read_all(reader.file, to, bytes, MPI_BYTE, &status) :
				      MPI_File_read(reader.file, to, bytes, MPI_BYTE, &status);

	if (ret != MPI_SUCCESS)
		return ranks_errno(ret);
	MPI_Get_count(&status, MPI_BYTE, &n);
	return n == (int)bytes ? 0 : -ENODATA;
}

static void reader_close(void)
{
	if (reader.file != MPI_FILE_NULL)
		MPI_File_close(&reader.file);
}

static void reader_barrier(void)
{
	MPI_Request done;

	MPI_Ibarrier(reader.comm, &done);
	sleep_until(&done);
}

static const struct mpi_reader ranks_reader = {
	.open = reader_open,
	.read = reader_read,
	.close = reader_close,
	.barrier = reader_barrier,
};

__attribute__((visibility("default"))) extern const struct mpi iospan_mpi;
const struct mpi iospan_mpi = {
	.begin = ranks_begin,
	.end = ranks_end,
	.version = ranks_version,
	.share = ranks_share,
	.broadcast = ranks_broadcast,
	.gather = ranks_gather,
	.beff = &ranks_beff,
	.pointer_works = ranks_pointer_works,
	.reader = &ranks_reader,
};
