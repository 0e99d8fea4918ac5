/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides if calls on a descriptor or stream are accesses to storage, and starts these accesses. */
#ifndef IOSPAN_PRELOAD_FD_H
#define IOSPAN_PRELOAD_FD_H

#include "preload/call.h"

enum fd_kind { FD_UNKNOWN, FD_STORAGE, FD_OTHER, FD_DIRECTORY };

/* Returns true if @fd is a block device, or a regular file outside file systems such as /proc. */
bool fd_counts(int fd);
/* Stores the basic statx() fields of @fd in @st. For a file on a network file system, they may be
 * out of date: libiospan does not ask the server, because it may not answer. Returns false if @fd
 * is not open. */
struct statx;
bool fd_stat(int fd, struct statx *st);
/* Returns true if a sync of @fd is an access. @fd is then a directory, or fd_counts() is true. */
bool fd_syncs(int fd);
/* Returns false if @fd is not open. Returns true if a seccomp filter forbids the system call for
 * this test. */
bool fd_is_open(int fd);

/* Forgets the kind of file behind @fd. Call this before the program closes @fd. */
void fd_forget(int fd);
void fd_forget_range(unsigned first, unsigned last);
/* Remembers that @fd is a newly opened file of kind @kind. If @kind is FD_UNKNOWN, asks the kernel
 * for the kind. */
void fd_opened(int fd, enum fd_kind kind);
/* Returns the remembered kind of the file behind @fd; FD_UNKNOWN: none. Never asks the kernel. */
enum fd_kind fd_known(int fd);
/* Asks the kernel for all kinds of open descriptors that are not known yet. Called before the
 * program installs a seccomp filter, because the filter may forbid the system call. */
void fds_query(void);

/* Sets the inode and device in @to to those of the file behind @fd; 0: not known. Sets the offset
 * in @to to TRACE_NO_OFFSET. */
void fd_file(int fd, struct file_at *to);

/* Returns true if calls on stream @fp are accesses: fd_counts() is true for its descriptor. A
 * stream without a descriptor is no storage: it is in memory (fmemopen), or calls functions of the
 * program (fopencookie). */
bool stream_counts(FILE *fp);

/* If @op on @fd is an access to storage, starts call @c with this access. @requested is its number
 * of bytes. */
static inline void call_fd(struct call *c, enum app_span op, int fd, u64 requested)
{
	if ((op == APP_SPAN_SYNC ? fd_syncs(fd) : fd_counts(fd)) && call_start(c))
		call_access(c, op, fd, requested);
}

static inline void call_stream(struct call *c, enum app_span op, FILE *fp, u64 requested)
{
	if (stream_counts(fp) && call_start(c))
		call_access(c, op, LIBC(fileno_unlocked)(fp), requested);
}

#endif
