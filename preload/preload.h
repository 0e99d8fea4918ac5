/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libiospan.so: counts and times what a program asks of its I/O library.
 *
 *   area.c   the app area that `iospan run` reads: mapping it, places in it
 *   call.c   a call in flight: its spans and counters, and its record
 *   fd.c     what is behind a descriptor; when to look again
 *   posix.c  read, write, fsync and their families
 *   stdio.c  streams
 *   format.c printf and scanf
 *   mpi.c    MPI-IO; mpi-split.c what of it is not one call per access
 *   sandbox.c  seccomp filters that the program installs
 *   loader.c   libraries that the program loads
 *
 * It lives in other people's programs: it never prints, never changes errno,
 * never lets a call fail, takes no lock and makes no system call on the way of
 * a call that it has seen before. When anything is missing it stays inert.
 * After its constructor it makes no system call unless may_call().
 */
#ifndef IOSPAN_PRELOAD_H
#define IOSPAN_PRELOAD_H

/* Else the headers define some of our functions in line. */
#undef _FORTIFY_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include "bpf/event.h"

#define EXPORT __attribute__((visibility("default")))

static inline u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Each returns the value before. */
static inline u64 add(u64 *word, u64 n)
{
	return __atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

/* For a word that nobody else writes: at a fifth of the price. */
static inline u64 add_alone(u64 *word, u64 n)
{
	u64 before = __atomic_load_n(word, __ATOMIC_RELAXED);

	__atomic_store_n(word, before + n, __ATOMIC_RELAXED);
	return before;
}

#endif
