/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MPI-IO calls of the program, for any MPI library and without its headers. A handle is an int
 * in some MPI libraries and a pointer in others. Both are passed in one register, like
 * uintptr_t, so libiospan can forward them unchanged. It calls the MPI library's functions by
 * their profiling names (PMPI_...). One MPI call is one access. The system calls that the MPI
 * library makes for it are below the app layer. */
#ifndef IOSPAN_PRELOAD_MPI_H
#define IOSPAN_PRELOAD_MPI_H

#include "preload/fd.h"

typedef uintptr_t handle;

/* An interposed function returns this error code (class MPI_ERR_OTHER) if the MPI library does
 * not have the function. */
#define MPI_FAILED 15

/* A status of our own, large enough for the MPI_Status of any MPI library. */
struct mpi_status {
	u64 words[32];
};

/* Returns the status to pass to the MPI library: @status, or @own if the program ignores the
 * status. The status is always needed, because only it has the number of bytes transferred. */
void *mpi_status(struct mpi_status *own, void *status);

/* Returns the bytes in @count elements of datatype @type, for a call that returned @ret. Returns
 * 0 if they are unknown. @caller is an address in the calling code, for mpi_find(). */
u64 mpi_requested(handle type, s64 count, int ret, void *caller);
/* Returns the bytes transferred according to @status. Returns @requested if the MPI library has
 * no count, for instance after a partial element. */
s64 mpi_transferred(handle type, void *status, u64 requested, void *caller);

/* Finds function @name of the MPI library, in the scope of the code at address @caller. Returns
 * NULL if there is none. */
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
