/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is behind a descriptor or a stream, and calls with one access to it. */
#ifndef IOSPAN_PRELOAD_FD_H
#define IOSPAN_PRELOAD_FD_H

#include "preload/call.h"

/* A regular file or a block device, and not one of a pseudo file system? */
bool fd_counts(int fd);
/* Type, numbers, size and blocks of the file, as the kernel knows them. A file server is not asked,
 * as it may not answer. False: no such descriptor. */
struct statx;
bool fd_stat(int fd, struct statx *st);
/* Is a sync of @fd counted? As fd_counts(), and directories. */
bool fd_syncs(int fd);
/* Something else may be behind this number from now on. */
void fd_forget(int fd);
/* Looks at the descriptors that nobody looked at yet. */
void fds_look(void);

/* Which file is behind @fd: inode and device, or zeros. */
void fd_file(int fd, struct file_at *to);

/* The same of a stream; one without a descriptor is in memory, or calls functions
 * of the program's own. */
bool stream_counts(FILE *fp);

/* A call with one access, to descriptor @fd. */
static inline void call_fd(struct call *c, enum app_span op, int fd, u64 asked)
{
	if ((op == APP_SPAN_SYNC ? fd_syncs(fd) : fd_counts(fd)) && call_begin(c))
		call_access(c, op, fd, asked);
}

static inline void call_stream(struct call *c, enum app_span op, FILE *fp, u64 asked)
{
	if (stream_counts(fp) && call_begin(c))
		call_access(c, op, fileno_unlocked(fp), asked);
}

#endif
