/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interposes MPI-IO calls of any MPI library, without its headers. A handle is an int in some
 * libraries and a pointer in others. An int and a pointer are both passed in one register, so
 * libiospan forwards handles unchanged. libiospan calls the functions of the MPI library by their
 * profiling names (PMPI_...). */
#ifndef IOSPAN_PRELOAD_MPI_H
#define IOSPAN_PRELOAD_MPI_H

#include "preload/fd.h"

typedef uintptr_t handle;

/* error code that libiospan returns if the MPI library lacks a function (class MPI_ERR_OTHER) */
#define MPI_FAILED 15

/* room for an MPI_Status of any MPI library */
struct mpi_status {
	u64 words[32];
};

/* Returns the MPI_Status that libiospan passes to the MPI library: @own if the program passes
 * MPI_STATUS_IGNORE as @status, else @status. libiospan reads the number of bytes transferred from
 * it. */
void *mpi_status(struct mpi_status *own, void *status);

/* Returns the bytes of @count elements of datatype @type; 0: not known. @ret is the result of the
 * MPI-IO call. @caller is an address in the code that made the call. */
u64 mpi_requested(handle type, s64 count, int ret, void *caller);
/* Returns the bytes transferred according to @status, or @requested if @status has no count. */
s64 mpi_transferred(handle type, void *status, u64 requested, void *caller);

/* Looks up the MPI library's function @name for the code at address @caller. Returns NULL if this
 * code cannot find the function. */
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
