// SPDX-License-Identifier: GPL-2.0-or-later
/* The calls of MPI-IO that are not one blocking access each. */
#include "preload/mpi.h"

/* ---- split collectives ----
 *
 * One access from _begin to _end. A file has one at most; the thread may do other
 * I/O meanwhile, so the access has a place in the area of its own.
 */
static struct split {
	handle fh;   /* taken when not 0 */
	handle type; /* a copy, as the program may free its own */
	s64 count;
	u64 epoch; /* of the process that began it */
	u32 tid;
	struct place place;
	struct access access;
} splits[64];

#define SPLITS (sizeof(splits) / sizeof(*splits))

static void split_begin(handle fh, enum app_span op, s64 count, u64 now)
{
	struct split *s = splits;

	while (s < splits + SPLITS && !__sync_bool_compare_and_swap(&s->fh, 0, fh))
		s++;
	if (s == splits + SPLITS) {
		add(&area->head.no_slot, 1);
		return;
	}
	if (!place_claim(&s->place, &self)) {
		s->fh = 0;
		return;
	}
	s->type = 0;
	s->count = count;
	s->epoch = process->epoch;
	s->tid = s->place.slot->tid;
	access_enter(&s->access, &s->place, op, 0, now);
}

static struct split *split_find(handle fh)
{
	for (struct split *s = splits; s < splits + SPLITS; s++)
		if (s->fh == fh && area && s->epoch == process->epoch)
			return s;
	return NULL;
}

static void split_end(struct split *s, s64 bytes, u64 asked, void *caller)
{
	int (*type_free)(handle *) = MPI_NEXT("MPI_Type_free", caller);

	/* else its thread is gone, and with it the access */
	if (s->place.slot->tid == s->tid) {
		access_leave(&s->access, bytes, asked, now_ns());
		place_free(&s->place);
	}
	if (s->type && type_free)
		type_free(&s->type);
	__atomic_store_n(&s->fh, 0, __ATOMIC_RELEASE);
}

/* The call that began it has returned @ret. */
static void split_begun(handle fh, handle type, int ret, void *caller)
{
	int (*type_dup)(handle, handle *) = MPI_NEXT("MPI_Type_dup", caller);
	struct split *s = split_find(fh);

	if (s && ret)
		split_end(s, -1, mpi_asked(type, s->count, ret, caller), caller);
	else if (s && (!type_dup || type_dup(type, &s->type)))
		s->type = 0;
}

static void split_ended(handle fh, int ret, void *status, void *caller)
{
	struct split *s = split_find(fh);
	u64 asked;

	if (!s)
		return;
	asked = s->type ? mpi_asked(s->type, s->count, 0, caller) : 0;
	split_end(s,
		  ret		  ? -1 :
			  s->type ? mpi_moved(s->type, status, asked, caller) :
				    0,
		  asked, caller);
}

#define SPLIT_BEGIN(name, op, params, args) \
	EXPORT int name params \
	{ \
		void *caller = __builtin_return_address(0); \
		__typeof__(name) *next = MPI_NEXT(#name, caller); \
		int ret; \
		CALL(call); \
\
		if (!next) \
			return MPI_FAILED; \
		if (call_begin(&call)) \
			split_begin(fh, op, count, now_ns()); \
		ret = next args; \
		if (call.counts) \
			split_begun(fh, type, ret, caller); \
		call_end(&call, 0); \
		return ret; \
	}

#define SPLIT_END(name) \
	EXPORT int name(handle fh, void *buf, void *status) \
	{ \
		void *caller = __builtin_return_address(0); \
		__typeof__(name) *next = MPI_NEXT(#name, caller); \
		struct mpi_status own = {}; \
		int ret; \
		CALL(call); \
\
		if (!next) \
			return MPI_FAILED; \
		status = mpi_status(&own, status); \
		call_begin(&call); \
		ret = next(fh, buf, status); \
		split_ended(fh, ret, status, caller); \
		call_end(&call, 0); \
		return ret; \
	}

#define SPLIT_HERE(name, op) \
	SPLIT_BEGIN(name##_begin, op, (handle fh, void *buf, int count, handle type), \
		    (fh, buf, count, type)) \
	SPLIT_BEGIN(name##_begin_c, op, (handle fh, void *buf, s64 count, handle type), \
		    (fh, buf, count, type)) \
	SPLIT_END(name##_end)
#define SPLIT_THERE(name, op) \
	SPLIT_BEGIN(name##_begin, op, (handle fh, s64 at, void *buf, int count, handle type), \
		    (fh, at, buf, count, type)) \
	SPLIT_BEGIN(name##_begin_c, op, (handle fh, s64 at, void *buf, s64 count, handle type), \
		    (fh, at, buf, count, type)) \
	SPLIT_END(name##_end)

SPLIT_HERE(MPI_File_read_all, APP_SPAN_READ)
SPLIT_HERE(MPI_File_read_ordered, APP_SPAN_READ)
SPLIT_THERE(MPI_File_read_at_all, APP_SPAN_READ)
SPLIT_HERE(MPI_File_write_all, APP_SPAN_WRITE)
SPLIT_HERE(MPI_File_write_ordered, APP_SPAN_WRITE)
SPLIT_THERE(MPI_File_write_at_all, APP_SPAN_WRITE)

/* ---- calls that are no access, but do I/O inside ---- */

#define NO_ACCESS(name, params, args, before) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = MPI_NEXT(#name, __builtin_return_address(0)); \
		int ret; \
		CALL(call); \
\
		if (!next) \
			return MPI_FAILED; \
		if (call_begin(&call)) \
			before; \
		ret = next args; \
		call_end(&call, 0); \
		return ret; \
	}

/* Hints, shared file pointers and preallocation are kept and done by reading and
 * writing files; so is the memory that ranks share. */
NO_ACCESS(MPI_Init, (void *argc, void *argv), (argc, argv), (void)0)
NO_ACCESS(MPI_Init_thread, (void *argc, void *argv, int want, int *have), (argc, argv, want, have),
	  (void)0)
NO_ACCESS(MPI_Finalize, (void), (), (void)0)
NO_ACCESS(MPI_File_open, (handle comm, const char *path, int mode, handle info, void *fh),
	  (comm, path, mode, info, fh), (void)0)
NO_ACCESS(MPI_File_close, (void *fh), (fh), (void)0)
NO_ACCESS(MPI_File_preallocate, (handle fh, s64 size), (fh, size), (void)0)
NO_ACCESS(MPI_File_seek_shared, (handle fh, s64 at, int whence), (fh, at, whence), (void)0)
NO_ACCESS(MPI_File_get_position_shared, (handle fh, void *at), (fh, at), (void)0)
NO_ACCESS(MPI_File_set_view,
	  (handle fh, s64 at, handle etype, handle type, const char *data, handle info),
	  (fh, at, etype, type, data, info), (void)0)

/* The nonblocking calls are reported as not timed, like POSIX AIO: when they are
 * done nobody tells. What the library does for them later, inside MPI_Wait,
 * counts as the POSIX calls that it is. */
#define NONBLOCKING_HERE(name) \
	NO_ACCESS(name, (handle fh, void *buf, int n, handle type, void *request), \
		  (fh, buf, n, type, request), add(&area->head.async, 1)) \
	NO_ACCESS(name##_c, (handle fh, void *buf, s64 n, handle type, void *request), \
		  (fh, buf, n, type, request), add(&area->head.async, 1))
#define NONBLOCKING_THERE(name) \
	NO_ACCESS(name, (handle fh, s64 at, void *buf, int n, handle type, void *request), \
		  (fh, at, buf, n, type, request), add(&area->head.async, 1)) \
	NO_ACCESS(name##_c, (handle fh, s64 at, void *buf, s64 n, handle type, void *request), \
		  (fh, at, buf, n, type, request), add(&area->head.async, 1))

NONBLOCKING_HERE(MPI_File_iread)
NONBLOCKING_HERE(MPI_File_iread_all)
NONBLOCKING_HERE(MPI_File_iread_shared)
NONBLOCKING_THERE(MPI_File_iread_at)
NONBLOCKING_THERE(MPI_File_iread_at_all)
NONBLOCKING_HERE(MPI_File_iwrite)
NONBLOCKING_HERE(MPI_File_iwrite_all)
NONBLOCKING_HERE(MPI_File_iwrite_shared)
NONBLOCKING_THERE(MPI_File_iwrite_at)
NONBLOCKING_THERE(MPI_File_iwrite_at_all)
