/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file behind a descriptor or a stream, and calls with one access to it. */
#ifndef IOSPAN_PRELOAD_FD_H
#define IOSPAN_PRELOAD_FD_H

#include "preload/call.h"

enum fd_kind { FD_UNKNOWN, FD_STORAGE, FD_OTHER, FD_DIRECTORY };

/* Does an access to @fd count? True for a regular file or a block device, except in a pseudo file
 * system. */
bool fd_counts(int fd);
/* The basic statx fields that the kernel has cached. A network file system's server is not asked,
 * as it may not answer. Returns false if there is no such descriptor. */
struct statx;
bool fd_stat(int fd, struct statx *st);
/* Does a sync of @fd count? As fd_counts(), and also true for a directory. */
bool fd_syncs(int fd);
/* True also if the library may not ask. */
bool fd_is_open(int fd);

/* Call before @fd is closed. */
void fd_forget(int fd);
void fd_forget_range(unsigned first, unsigned last);
/* Call when @fd refers to another file from now on, of this kind. FD_UNKNOWN: queries it. */
void fd_opened(int fd, enum fd_kind kind);
/* Makes no query: returns FD_UNKNOWN if the kind is not remembered. */
enum fd_kind fd_known(int fd);
/* Queries and remembers the kind of each descriptor that no call has used yet. */
void fds_query(void);

/* Inode and device of the file behind @fd; zeros if unknown. */
void fd_file(int fd, struct file_at *to);

/* As fd_counts(). A stream without a descriptor does not count: it is in memory, or calls
 * functions of the program. */
bool stream_counts(FILE *fp);

/* Starts a call with one access, of @requested bytes. */
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
