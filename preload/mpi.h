/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MPI-IO, without MPI's headers and for any MPI library. Handles are integers
 * here and pointers there; both travel in one register, as does uintptr_t, and
 * are handed on as they came. The real functions are called by their profiling
 * names. One MPI call is one access; the system calls that the library makes for
 * it are below the app layer. */
#ifndef IOSPAN_PRELOAD_MPI_H
#define IOSPAN_PRELOAD_MPI_H

#include "preload/fd.h"

typedef uintptr_t handle;

/* Of class MPI_ERR_OTHER, for a library that has no such function after all. */
#define MPI_FAILED 15

/* Room for any library's MPI_Status. */
struct mpi_status {
	u64 words[32];
};

/* Where to have the status written: to @own when the program wants none, as the
 * number of bytes is only in there. */
void *mpi_status(struct mpi_status *own, void *status);

/* Bytes that @count of @type are, for a call that returned @ret; 0 unknown. */
u64 mpi_asked(handle type, s64 count, int ret, void *caller);
/* Bytes that were moved; @asked where the library cannot tell, as it does not
 * for a part of an element. */
s64 mpi_moved(handle type, void *status, u64 asked, void *caller);

/* The library's function of that name, as seen from the code at @caller. */
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
