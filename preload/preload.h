/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libiospan.so: counts and times the calls that a program makes to its I/O library.
 *
 *   area.c       the app area, memory that `iospan run` reads; start of the library in a program
 *   system.c     system calls and functions of libc that the program cannot replace
 *   thread.c     processes and threads, and their entries (slots) in the app area
 *   call.c       a call in flight: its spans, its counters, and its access in a trace
 *   fd.c         the kind of file behind a descriptor
 *   open.c       functions that open and close descriptors
 *   posix.c      read, write, fsync and their families
 *   stdio.c      streams
 *   format.c     printf and scanf
 *   mpi.c        MPI-IO, one access per call
 *   mpi-split.c  MPI-IO calls that are not one access each
 *   sandbox.c    seccomp filters that the program installs
 *   loader.c     libraries that the program loads
 *
 * The library runs inside other programs, so every line obeys these rules:
 *
 *   silent           it prints nothing, changes no errno and makes no call fail
 *   no lock          a signal handler, or a forked child, could wait for it for ever;
 *                    shared words change by atomic operations only
 *   no system call   a seccomp filter of the program could end the program for it. The library
 *                    remembers the kind of each descriptor that libc opened. For other purposes
 *                    it makes a system call only if may_syscall() returns true
 *   vfork            the child runs on the memory and the stack of its suspended parent, so it
 *                    must leave both as the parent expects them; see self_lend()
 *   inert            if anything is missing, the library forwards every call and counts nothing
 */
#ifndef IOSPAN_PRELOAD_H
#define IOSPAN_PRELOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include "bpf/event.h"

/* Exports an interposed function, so that the program calls it instead of libc's. libiospan's own
 * calls also reach it, because libiospan is linked with -Bsymbolic-functions. */
#define EXPORT __attribute__((visibility("default")))

/* Attribute of an interposed function that ends with a jump to libc's function. A call instead of
 * the jump would change the return address, on which libc's function depends. The compiler emits
 * the jump even with -O0. */
#define JUMPS_ON __attribute__((optimize("O2", "optimize-sibling-calls")))

/* add() and add_exclusive() add @n to *@word. They return the value from before the addition. */
static inline u64 add(u64 *word, u64 n)
{
	return __atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

/* The addition is not atomic, and takes a fifth of the time of add(). Use it only if no other
 * thread writes *@word. */
static inline u64 add_exclusive(u64 *word, u64 n)
{
	u64 before = __atomic_load_n(word, __ATOMIC_RELAXED);

	__atomic_store_n(word, before + n, __ATOMIC_RELAXED);
	return before;
}

#endif
