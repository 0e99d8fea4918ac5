// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocking calls of MPI-IO, and the lookup of functions in the MPI library. */
#include "preload/mpi.h"
#include <dlfcn.h>

/* MPI_ERR_TYPE: error class of an invalid datatype, with the same value in all MPI libraries */
#define MPI_NO_TYPE 3

/* A program that needs no status passes MPI_STATUS_IGNORE as @status. This is NULL in some MPI
 * libraries and 1 in others. */
void *mpi_status(struct mpi_status *own, void *status)
{
	return (uintptr_t)status <= 1 ? own : status;
}

/* Returns the MPI library's function @name, or NULL. A Python module may load the MPI library
 * outside the global scope. Then only the module finds the function. So a second search is made in
 * the scope of the program or library that has the address @caller. */
void *mpi_find(const char *name, void *caller)
{
	int saved = errno;
	void *function = symbol_in(RTLD_NEXT, name), *object;
	Dl_info info;

	if (!function && LIBC(dladdr)(caller, &info)) {
		object = LIBC(dlopen)(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		if (object) {
			function = symbol_in(object, name);
			LIBC(dlclose)(object);
		}
	}
	errno = saved;
	return function;
}

static u64 type_bytes(handle type, s64 count, void *caller)
{
	int (*type_size)(handle, int *) = MPI_NEXT("MPI_Type_size", caller);
	int size = 0;

	if (!type_size || type_size(type, &size) || size < 0 || count < 0)
		return 0;
	return (u64)size * count;
}

/* If the call failed because of an invalid datatype, returns 0: MPI_Type_size() would abort the
 * program. */
u64 mpi_requested(handle type, s64 count, int ret, void *caller)
{
	int (*error_class)(int, int *) = MPI_NEXT("MPI_Error_class", caller);
	int class = MPI_NO_TYPE;

	if (ret && (!error_class || error_class(ret, &class) || class == MPI_NO_TYPE))
		return 0;
	return type_bytes(type, count, caller);
}

s64 mpi_transferred(handle type, void *status, u64 requested, void *caller)
{
	int (*get_count)(void *, handle, int *) = MPI_NEXT("MPI_Get_count", caller);
	int count = -1;

	if (!get_count || get_count(status, type, &count) || count < 0)
		return requested;
	return type_bytes(type, count, caller);
}

static void mpi_call_start(struct call *c, enum app_span op)
{
	if (call_start(c))
		call_access(c, op, -1, 0);
}

static void mpi_call_end(struct call *c, int ret, handle type, s64 count, void *status,
			 void *caller)
{
	if (!c->counts)
		return;
	c->requested = mpi_requested(type, count, ret, caller);
	call_end(c, ret ? -1 : mpi_transferred(type, status, c->requested, caller));
}

#define MPI_CALL(name, op, params, args) \
	EXPORT int name params \
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
		mpi_call_start(&call, op); \
		ret = next args; \
		mpi_call_end(&call, ret, type, count, status, caller); \
		return ret; \
	}

/* MPI_AT_POINTER defines calls at the file pointer, and MPI_AT_OFFSET calls at an explicit offset.
 * Since MPI 4, each call also exists with the suffix _c, with an MPI_Count as the count. */
#define MPI_AT_POINTER(name, op) \
	MPI_CALL(name, op, (handle fh, void *buf, int count, handle type, void *status), \
		 (fh, buf, count, type, status)) \
	MPI_CALL(name##_c, op, (handle fh, void *buf, s64 count, handle type, void *status), \
		 (fh, buf, count, type, status))
#define MPI_AT_OFFSET(name, op) \
	MPI_CALL(name, op, (handle fh, s64 at, void *buf, int count, handle type, void *status), \
		 (fh, at, buf, count, type, status)) \
	MPI_CALL(name##_c, op, \
		 (handle fh, s64 at, void *buf, s64 count, handle type, void *status), \
		 (fh, at, buf, count, type, status))

MPI_AT_POINTER(MPI_File_read, APP_SPAN_READ)
MPI_AT_POINTER(MPI_File_read_all, APP_SPAN_READ)
MPI_AT_POINTER(MPI_File_read_shared, APP_SPAN_READ)
MPI_AT_POINTER(MPI_File_read_ordered, APP_SPAN_READ)
MPI_AT_OFFSET(MPI_File_read_at, APP_SPAN_READ)
MPI_AT_OFFSET(MPI_File_read_at_all, APP_SPAN_READ)
MPI_AT_POINTER(MPI_File_write, APP_SPAN_WRITE)
MPI_AT_POINTER(MPI_File_write_all, APP_SPAN_WRITE)
MPI_AT_POINTER(MPI_File_write_shared, APP_SPAN_WRITE)
MPI_AT_POINTER(MPI_File_write_ordered, APP_SPAN_WRITE)
MPI_AT_OFFSET(MPI_File_write_at, APP_SPAN_WRITE)
MPI_AT_OFFSET(MPI_File_write_at_all, APP_SPAN_WRITE)

EXPORT int MPI_File_sync(handle fh)
{
	__typeof__(MPI_File_sync) *next = MPI_NEXT("MPI_File_sync", __builtin_return_address(0));
	int ret;
	CALL(call);

	if (!next)
		return MPI_FAILED;
	mpi_call_start(&call, APP_SPAN_SYNC);
	ret = next(fh);
	call_end(&call, ret ? -1 : 0);
	return ret;
}
