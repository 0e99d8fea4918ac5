/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a row: PATH, PATH.1, PATH.2 ... Other users may change the path and the directory
 * meanwhile. So the directory stays open, and a file is identified by its inode before it is
 * removed. */
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

/* The path of a trace, and its directory. */
struct trace_place {
	int at;	    /* the directory, O_PATH; -1: not open */
	char *path; /* of file 0; for messages */
};
#define TRACE_PLACE_NONE \
	{ \
		.at = -1 \
	}

/* Opens the directory of @path. -errno, printed. The caller calls trace_place_close() even then. */
int trace_place_open(struct trace_place *p, const char *path);
void trace_place_close(struct trace_place *p);

/* The name of file 0 in the directory. */
const char *trace_place_name(const struct trace_place *p);

/* The path of file @number; the caller frees it. */
char *trace_file_path(const char *path, u32 number);

/* Returns the sorted numbers N of all files @path.N; the caller frees them. *@n is 0 if the
 * directory cannot be read. */
u32 *trace_file_numbers(const char *path, size_t *n);

/* Creates the file with mode 0600, or opens an existing one that is empty and owned by this user.
 * Does not follow a symbolic link. *@made: the file is new. Returns a descriptor, or -errno,
 * printed. */
int trace_file_create(const struct trace_place *p, u32 number, bool *made);

/* Tests whether trace_file_create() works: creates file 0 and removes it. -errno, printed. */
int trace_file_try(const struct trace_place *p);

/* Returns -EEXIST, printed, if any file PATH.N exists. */
int trace_file_check_row(const struct trace_place *p);

void trace_file_identify(int fd, struct trace_file_id *id);

/* Removes the file if it still is @id. Warns if another file has the name. */
void trace_file_remove(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Syncs the file to the disk. -errno, silent; -ENOENT: the name is no longer that of @id. */
int trace_file_sync(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Returns whether the path of file @number still leads to @id. */
bool trace_file_is_there(const struct trace_place *p, u32 number, const struct trace_file_id *id);

#endif
