/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of file behind a descriptor or a stdio stream, and wrappers of calls that make one access
 * to such a file. */
#ifndef IOSPAN_PRELOAD_FD_H
#define IOSPAN_PRELOAD_FD_H

#include "preload/call.h"

enum fd_kind { FD_UNKNOWN, FD_STORAGE, FD_OTHER, FD_DIRECTORY };

/* Returns true if accesses to @fd count: it is a regular file or a block device, and not in a
 * pseudo file system such as /proc. */
bool fd_counts(int fd);
/* Stores the basic statx() fields that the kernel has cached in @st. It does not ask the server
 * of a network file system, which may not answer. Returns false if @fd is not open. */
struct statx;
bool fd_stat(int fd, struct statx *st);
/* Returns true if a sync call on @fd counts: on the files of fd_counts(), and on directories. */
bool fd_syncs(int fd);
/* Returns false if @fd is not open. Returns true also if a seccomp filter forbids libiospan to
 * ask the kernel. */
bool fd_is_open(int fd);

/* Discards the remembered kind of @fd. Call this before @fd is closed. */
void fd_forget(int fd);
void fd_forget_range(unsigned first, unsigned last);
/* Remembers that @fd now refers to another file, of this @kind. If @kind is FD_UNKNOWN, asks the
 * kernel for it. */
void fd_opened(int fd, enum fd_kind kind);
/* Returns the remembered kind of @fd, or FD_UNKNOWN. It never asks the kernel. */
enum fd_kind fd_known(int fd);
/* Asks the kernel for the kind of each descriptor that no call has used yet, and remembers it. */
void fds_query(void);

/* Stores inode and device of the file behind @fd in @to, or zeros if they are unknown. */
void fd_file(int fd, struct file_at *to);

/* Returns true if accesses to stream @fp count, by the rule of fd_counts(). A stream without a
 * descriptor does not count: it is in memory (fmemopen), or calls functions of the program
 * (fopencookie). */
bool stream_counts(FILE *fp);

/* If accesses of @op to @fd count, starts the call @c with one access of @requested bytes. */
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
