// SPDX-License-Identifier: GPL-2.0-or-later
/* MPI-IO calls that are not one access from call to return. In a split collective, one call
 * (_begin) starts the access and another (_end) ends it. A nonblocking call returns before its
 * access ends. In other calls, the MPI library does I/O of its own. */
#include "preload/mpi.h"

/* A split collective is one access from its _begin call to its _end call. A file handle has at most
 * one at a time. The thread may make other calls before _end, so the access needs its own entry
 * (slot) in the app area. */
static struct split {
	handle fh; /* file handle; 0: the entry is free */
	/* a copy, because the program may free its datatype before _end */
	handle type;
	s64 count;
	/* process.epoch at _begin; a forked child has another epoch, so it ignores this entry,
	 * which it inherits */
	u64 epoch;
	u32 tid;
	struct claim claim;
	struct access access;
} splits[64];

#define SPLITS (sizeof(splits) / sizeof(*splits))

static void split_start(handle fh, enum app_span op, s64 count, u64 now)
{
	struct split *s = splits;

	while (s < splits + SPLITS && !__sync_bool_compare_and_swap(&s->fh, 0, fh))
		s++;
	if (s == splits + SPLITS) {
		add(&area->head.no_slot, 1);
		return;
	}
	if (!slot_claim(&s->claim, &self)) {
		s->fh = 0;
		return;
	}
	s->type = 0;
	s->count = count;
	s->epoch = process->epoch;
	s->tid = s->claim.slot->tid;
	access_enter(&s->access, &s->claim, op, 0, now);
}

static struct split *split_find(handle fh)
{
	for (struct split *s = splits; s < splits + SPLITS; s++)
		if (s->fh == fh && area && s->epoch == process->epoch)
			return s;
	return NULL;
}

static void split_end(struct split *s, s64 bytes, u64 requested, void *caller)
{
	int (*type_free)(handle *) = MPI_NEXT("MPI_Type_free", caller);

	/* If the slot now belongs to another thread, the thread that called _begin has exited. Its
	 * exit has ended the access. */
	if (s->claim.slot->tid == s->tid) {
		access_leave(&s->access, bytes, requested, now_ns());
		slot_release(&s->claim);
	}
	if (s->type && type_free)
		type_free(&s->type);
	__atomic_store_n(&s->fh, 0, __ATOMIC_RELEASE);
}

/* Called after _begin on file handle @fh has returned @ret. If @ret is an error, ends the access as
 * failed. Otherwise keeps a copy of datatype @type, for the number of bytes at _end. */
static void split_started(handle fh, handle type, int ret, void *caller)
{
	int (*type_dup)(handle, handle *) = MPI_NEXT("MPI_Type_dup", caller);
	struct split *s = split_find(fh);

	if (s && ret)
		split_end(s, -1, mpi_requested(type, s->count, ret, caller), caller);
	else if (s && (!type_dup || type_dup(type, &s->type)))
		s->type = 0;
}

static void split_ended(handle fh, int ret, void *status, void *caller)
{
	struct split *s = split_find(fh);
	s64 bytes = ret ? -1 : 0;
	u64 requested = 0;

	if (!s)
		return;
	if (s->type)
		requested = mpi_requested(s->type, s->count, 0, caller);
	if (s->type && !ret)
		bytes = mpi_transferred(s->type, status, requested, caller);
	split_end(s, bytes, requested, caller);
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
		if (call_start(&call)) \
			split_start(fh, op, count, now_ns()); \
		ret = next args; \
		if (call.counts) \
			split_started(fh, type, ret, caller); \
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
		call_start(&call); \
		ret = next(fh, buf, status); \
		split_ended(fh, ret, status, caller); \
		call_end(&call, 0); \
		return ret; \
	}

#define SPLIT_AT_POINTER(name, op) \
	SPLIT_BEGIN(name##_begin, op, (handle fh, void *buf, int count, handle type), \
		    (fh, buf, count, type)) \
	SPLIT_BEGIN(name##_begin_c, op, (handle fh, void *buf, s64 count, handle type), \
		    (fh, buf, count, type)) \
	SPLIT_END(name##_end)
#define SPLIT_AT_OFFSET(name, op) \
	SPLIT_BEGIN(name##_begin, op, (handle fh, s64 at, void *buf, int count, handle type), \
		    (fh, at, buf, count, type)) \
	SPLIT_BEGIN(name##_begin_c, op, (handle fh, s64 at, void *buf, s64 count, handle type), \
		    (fh, at, buf, count, type)) \
	SPLIT_END(name##_end)

SPLIT_AT_POINTER(MPI_File_read_all, APP_SPAN_READ)
SPLIT_AT_POINTER(MPI_File_read_ordered, APP_SPAN_READ)
SPLIT_AT_OFFSET(MPI_File_read_at_all, APP_SPAN_READ)
SPLIT_AT_POINTER(MPI_File_write_all, APP_SPAN_WRITE)
SPLIT_AT_POINTER(MPI_File_write_ordered, APP_SPAN_WRITE)
SPLIT_AT_OFFSET(MPI_File_write_at_all, APP_SPAN_WRITE)

#define NO_ACCESS(name, params, args, before) \
	EXPORT int name params \
	{ \
		__typeof__(name) *next = MPI_NEXT(#name, __builtin_return_address(0)); \
		int ret; \
		CALL(call); \
\
		if (!next) \
			return MPI_FAILED; \
		if (call_start(&call)) \
			before; \
		ret = next args; \
		call_end(&call, 0); \
		return ret; \
	}

/* Calls in which the MPI library does I/O for its own purposes, such as hints, shared file
 * pointers, preallocation and shared memory. This I/O is no access of the app layer. */
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

/* libiospan does not see when a nonblocking call completes. So such a call is no access, and is
 * only counted in head.async. The MPI library may make POSIX calls for it later, in MPI_Wait. These
 * POSIX calls are accesses. */
#define NONBLOCKING_AT_POINTER(name) \
	NO_ACCESS(name, (handle fh, void *buf, int n, handle type, void *request), \
		  (fh, buf, n, type, request), add(&area->head.async, 1)) \
	NO_ACCESS(name##_c, (handle fh, void *buf, s64 n, handle type, void *request), \
		  (fh, buf, n, type, request), add(&area->head.async, 1))
#define NONBLOCKING_AT_OFFSET(name) \
	NO_ACCESS(name, (handle fh, s64 at, void *buf, int n, handle type, void *request), \
		  (fh, at, buf, n, type, request), add(&area->head.async, 1)) \
	NO_ACCESS(name##_c, (handle fh, s64 at, void *buf, s64 n, handle type, void *request), \
		  (fh, at, buf, n, type, request), add(&area->head.async, 1))

NONBLOCKING_AT_POINTER(MPI_File_iread)
NONBLOCKING_AT_POINTER(MPI_File_iread_all)
NONBLOCKING_AT_POINTER(MPI_File_iread_shared)
NONBLOCKING_AT_OFFSET(MPI_File_iread_at)
NONBLOCKING_AT_OFFSET(MPI_File_iread_at_all)
NONBLOCKING_AT_POINTER(MPI_File_iwrite)
NONBLOCKING_AT_POINTER(MPI_File_iwrite_all)
NONBLOCKING_AT_POINTER(MPI_File_iwrite_shared)
NONBLOCKING_AT_OFFSET(MPI_File_iwrite_at)
NONBLOCKING_AT_OFFSET(MPI_File_iwrite_at_all)
