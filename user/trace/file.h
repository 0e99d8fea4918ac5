/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a row of traces: PATH, PATH.1, PATH.2 ... */
#ifndef IOSPAN_TRACE_FILE_H
#define IOSPAN_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include "bpf/types.h"

/* Tells a file from another one that has its name later. */
struct trace_file_id {
	u64 ino;
	u32 major, minor;
	struct statx_timestamp born; /* the number of a removed inode is used again */
};

/* The name of the file with @number; the caller's. */
char *trace_file_path(const char *path, u32 number);

/* The N of all PATH.N that are there, in order; the caller's. None of a folder that cannot
 * be read. */
u32 *trace_file_numbers(const char *path, size_t *n);

/* Makes it with mode 0600, or takes one that is there, empty and this user's own; never
 * through a link at its end. *@made: it was not there. A descriptor to write, or -errno, printed. */
int trace_file_create(const char *path, u32 number, bool *made);

/* Whether trace_file_create() would make the file @path, found by doing it; nothing stays. -errno,
 * printed. */
int trace_file_try(const char *path);

/* -EEXIST, printed, if a file is there that the row may come to. */
int trace_file_check_row(const char *path);

void trace_file_identify(int fd, struct trace_file_id *id);

/* Removes the file if it is still that of @id. Otherwise the name belongs to another program's
 * file: this stays, with a warning. */
void trace_file_remove(const char *path, u32 number, const struct trace_file_id *id);

/* Brings it to the disk. -errno, silent; -ENOENT: no file or another one has the name by now. */
int trace_file_sync(const char *path, u32 number, const struct trace_file_id *id);

#endif
