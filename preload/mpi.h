/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MPI-IO for any MPI library, without its headers. A handle is an int in some libraries and a
 * pointer in others. Both are passed in one register, like uintptr_t, so they are forwarded
 * unchanged. The library's functions are called by their profiling names (PMPI_...). One MPI call
 * is one access; the system calls that the library makes for it are below the app layer. */
#ifndef IOSPAN_PRELOAD_MPI_H
#define IOSPAN_PRELOAD_MPI_H

#include "preload/fd.h"

typedef uintptr_t handle;

/* Returned if the library turns out not to have the function. Of class MPI_ERR_OTHER. */
#define MPI_FAILED 15

/* Large enough for any library's MPI_Status. */
struct mpi_status {
	u64 words[32];
};

/* Returns @status, or @own if the program ignores the status: only the status has the number of
 * bytes that were transferred. */
void *mpi_status(struct mpi_status *own, void *status);

/* Bytes in @count elements of @type, for a call that returned @ret; 0: unknown. */
u64 mpi_requested(handle type, s64 count, int ret, void *caller);
/* Bytes transferred according to @status. Returns @requested if the library has no count, as for a
 * partial element. */
s64 mpi_transferred(handle type, void *status, u64 requested, void *caller);

/* The MPI library's function @name in the scope of the code at @caller; NULL: none. */
void *mpi_find(const char *name, void *caller);

#define MPI_NEXT(name, caller) \
	({ \
		static void *function; \
		void *f = __atomic_load_n(&function, __ATOMIC_RELAXED); \
\
		if (UNLIKELY(!f)) { \
			f = mpi_find("P" name, caller); \
			__atomic_store_n(&function, f, __ATOMIC_RELAXED); \
		} \
		f; \
	})

#endif
