/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a row: PATH, PATH.1, PATH.2 ... Other users may change their directory meanwhile, so
 * a file is identified by its inode before it is removed. */
#ifndef IOSPAN_TRACE_FILE_H
#define IOSPAN_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include "bpf/types.h"

/* Identifies a file, whatever name it has. */
struct trace_file_id {
	u64 ino;
	u32 major, minor;
	struct statx_timestamp born; /* inode numbers are reused */
};

/* The name of file @number; the caller frees it. */
char *trace_file_path(const char *path, u32 number);

/* Returns the sorted numbers N of all files @path.N; the caller frees them. *@n is 0 if the
 * directory cannot be read. */
u32 *trace_file_numbers(const char *path, size_t *n);

/* Creates the file with mode 0600, or opens an existing one that is empty and owned by this user.
 * Does not follow a symbolic link. *@made: the file is new. Returns a descriptor, or -errno,
 * printed. */
int trace_file_create(const char *path, u32 number, bool *made);

/* Tests whether trace_file_create() works for @path: creates the file and removes it. -errno,
 * printed. */
int trace_file_try(const char *path);

/* Returns -EEXIST, printed, if any file @path.N exists. */
int trace_file_check_row(const char *path);

void trace_file_identify(int fd, struct trace_file_id *id);

/* Removes the file if it still is @id. Warns if another file has the name. */
void trace_file_remove(const char *path, u32 number, const struct trace_file_id *id);

/* Syncs the file to the disk. -errno, silent; -ENOENT: the name is no longer that of @id. */
int trace_file_sync(const char *path, u32 number, const struct trace_file_id *id);

#endif
