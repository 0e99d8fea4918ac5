// SPDX-License-Identifier: GPL-2.0-or-later
/* The blocking calls of MPI-IO, and how the library is found. */
#include "preload/mpi.h"
#include <dlfcn.h>
#include <errno.h>

/* MPI_ERR_TYPE, the same number in all libraries: the datatype is no datatype. */
#define MPI_NO_TYPE 3

/* MPI_STATUS_IGNORE is a null pointer in one library and 1 in another. */
void *mpi_status(struct mpi_status *own, void *status)
{
	return (uintptr_t)status <= 1 ? own : status;
}

/* ---- the library ---- */

/* Often it is not in the global scope: a Python module brings it along. Then it
 * is in the scope of whoever called us. */
void *mpi_find(const char *name, void *caller)
{
	int saved = errno;
	void *function = dlsym(RTLD_NEXT, name), *object;
	Dl_info info;

	if (!function && dladdr(caller, &info)) {
		object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		if (object) {
			function = dlsym(object, name);
			dlclose(object);
		}
	}
	if (!function)
		dlerror(); /* not for the program to see */
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

/* Asking the library about a wrong datatype would end the program. */
u64 mpi_asked(handle type, s64 count, int ret, void *caller)
{
	int (*error_class)(int, int *) = MPI_NEXT("MPI_Error_class", caller);
	int class = MPI_NO_TYPE;

	if (ret && (!error_class || error_class(ret, &class) || class == MPI_NO_TYPE))
		return 0;
	return type_bytes(type, count, caller);
}

s64 mpi_moved(handle type, void *status, u64 asked, void *caller)
{
	int (*get_count)(void *, handle, int *) = MPI_NEXT("MPI_Get_count", caller);
	int count = -1;

	if (!get_count || get_count(status, type, &count) || count < 0)
		return asked;
	return type_bytes(type, count, caller);
}

/* ---- blocking calls ---- */

static void mpi_begin(struct call *c, enum app_span op)
{
	if (call_begin(c))
		call_access(c, op, -1, 0);
}

static void mpi_end(struct call *c, int ret, handle type, s64 count, void *status, void *caller)
{
	if (!c->counts)
		return;
	c->asked = mpi_asked(type, count, ret, caller);
	call_end(c, ret ? -1 : mpi_moved(type, status, c->asked, caller));
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
		mpi_begin(&call, op); \
		ret = next args; \
		mpi_end(&call, ret, type, count, status, caller); \
		return ret; \
	}

/* Where the file pointer says, and at an offset; each with a count of int and,
 * from MPI 4 on, of MPI_Count. */
#define MPI_HERE(name, op) \
	MPI_CALL(name, op, (handle fh, void *buf, int count, handle type, void *status), \
		 (fh, buf, count, type, status)) \
	MPI_CALL(name##_c, op, (handle fh, void *buf, s64 count, handle type, void *status), \
		 (fh, buf, count, type, status))
#define MPI_THERE(name, op) \
	MPI_CALL(name, op, (handle fh, s64 at, void *buf, int count, handle type, void *status), \
		 (fh, at, buf, count, type, status)) \
	MPI_CALL(name##_c, op, \
		 (handle fh, s64 at, void *buf, s64 count, handle type, void *status), \
		 (fh, at, buf, count, type, status))

MPI_HERE(MPI_File_read, APP_SPAN_READ)
MPI_HERE(MPI_File_read_all, APP_SPAN_READ)
MPI_HERE(MPI_File_read_shared, APP_SPAN_READ)
MPI_HERE(MPI_File_read_ordered, APP_SPAN_READ)
MPI_THERE(MPI_File_read_at, APP_SPAN_READ)
MPI_THERE(MPI_File_read_at_all, APP_SPAN_READ)
MPI_HERE(MPI_File_write, APP_SPAN_WRITE)
MPI_HERE(MPI_File_write_all, APP_SPAN_WRITE)
MPI_HERE(MPI_File_write_shared, APP_SPAN_WRITE)
MPI_HERE(MPI_File_write_ordered, APP_SPAN_WRITE)
MPI_THERE(MPI_File_write_at, APP_SPAN_WRITE)
MPI_THERE(MPI_File_write_at_all, APP_SPAN_WRITE)

EXPORT int MPI_File_sync(handle fh)
{
	__typeof__(MPI_File_sync) *next = MPI_NEXT("MPI_File_sync", __builtin_return_address(0));
	int ret;
	CALL(call);

	if (!next)
		return MPI_FAILED;
	mpi_begin(&call, APP_SPAN_SYNC);
	ret = next(fh);
	call_end(&call, ret ? -1 : 0);
	return ret;
}
