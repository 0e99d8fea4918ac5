/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates, identifies and removes the files of a trace. A trace may be split into PATH, PATH.1,
 * PATH.2 and so on. In the meantime, other users may rename the files or the directory. So the
 * directory stays open, and a file is removed only if its inode is the expected one. */
#ifndef IOSPAN_TRACE_FILE_H
#define IOSPAN_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include "bpf/types.h"

/* Identifies a file independently of its name. */
struct trace_file_id {
	u64 ino;
	u32 major, minor;
	struct statx_timestamp born; /* time of creation, because inode numbers are reused */
};

/* The path of a trace and the directory that contains it. */
struct trace_place {
	int at;	    /* O_PATH descriptor of the directory; -1: not open */
	char *path; /* path of file 0; used for messages, and its last component as the name */
};
#define TRACE_PLACE_NONE \
	{ \
		.at = -1 \
	}

/* Opens the directory of @path. Returns 0, or -errno after it has printed an error. The caller must
 * call trace_place_close() in both cases. */
int trace_place_open(struct trace_place *p, const char *path);
void trace_place_close(struct trace_place *p);

/* Returns the name of file 0 in its directory. */
const char *trace_place_name(const struct trace_place *p);

/* Returns the path of file @number, which the caller frees. */
char *trace_file_path(const char *path, u32 number);

/* Returns the numbers N of all existing files @path.N, sorted. The caller frees them. Stores their
 * count in *@n, which is 0 if the directory cannot be read. */
u32 *trace_file_numbers(const char *path, size_t *n);

/* Creates file @number with mode 0600. If it exists, is empty and belongs to this user, opens it
 * instead. Does not follow a symbolic link. Sets *@made to true if it created the file. Returns a
 * descriptor, or -errno after it has printed an error. */
int trace_file_create(const struct trace_place *p, u32 number, bool *made);

/* Checks that trace_file_create() will work: creates file 0 and removes it again. Returns 0, or
 * -errno after it has printed an error. */
int trace_file_try(const struct trace_place *p);

/* Checks that no file PATH.N exists. If one exists, prints an error and returns -EEXIST. */
int trace_file_check_row(const struct trace_place *p);

void trace_file_identify(int fd, struct trace_file_id *id);

/* Removes file @number if it is still the file @id. If another file has the name, prints a warning
 * instead. */
void trace_file_remove(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Syncs file @number to the disk. Returns 0 or -errno; prints nothing. Returns -ENOENT if its name
 * no longer leads to the file @id. */
int trace_file_sync(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Returns true if the path of file @number still leads to the file @id. */
bool trace_file_is_there(const struct trace_place *p, u32 number, const struct trace_file_id *id);

#endif
