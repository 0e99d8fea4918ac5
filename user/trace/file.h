/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a trace: PATH or, if the trace is split, PATH, PATH.1, PATH.2, ... Other users may
 * rename the files while iospan writes them. So iospan keeps the directory open, and removes a file
 * only if it still has the inode that iospan created. */
#ifndef IOSPAN_TRACE_FILE_H
#define IOSPAN_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "bpf/types.h"

/* Identifies a file, even after a rename. */
struct trace_file_id {
	u64 ino;
	u32 major, minor;
	/* creation time of the file; a later file with the same inode number has another time */
	struct statx_timestamp born;
};

/* The path of a trace, and an open descriptor of the directory that contains it. */
struct trace_place {
	int at; /* O_PATH descriptor of the directory; -1: not open */
	/* path of the first file of the trace; messages print the whole path, but iospan opens the
	 * files relative to the directory .at */
	char *path;
};
#define TRACE_PLACE_NONE \
	{ \
		.at = -1 \
	}

/* Opens the directory that contains the trace @path, which need not exist. Returns 0, or -errno
 * after it has printed an error. The caller must call trace_place_close() in both cases. */
int trace_place_open(struct trace_place *p, const char *path);
void trace_place_close(struct trace_place *p);

/* Returns the path of file @number of the trace: @path for 0, else @path.N. The caller frees it. */
char *trace_file_path(const char *path, u32 number);

/* Returns the numbers N of all existing files @path.N, in ascending order, and sets *@n to their
 * count. *@n is 0 if the directory cannot be read. The caller frees the array. */
u32 *trace_file_numbers(const char *path, size_t *n);

/* Creates file @number of the trace with mode 0600, and sets *@made to true. If this user already
 * has an empty file there, opens it and sets *@made to false. Refuses a symbolic link. Returns a
 * descriptor, or -errno after it has printed an error. */
int trace_file_create(const struct trace_place *p, u32 number, bool *made);

/* Checks before a long measurement that the trace can be written: creates its first file and
 * removes it again. Returns 0, or -errno after it has printed an error. */
int trace_file_try(const struct trace_place *p);

/* Checks that no file PATH.1, PATH.2, ... exists, because a split trace needs these names. Returns
 * 0, or -EEXIST after it has printed an error. */
int trace_file_check_row(const struct trace_place *p);

void trace_file_identify(int fd, struct trace_file_id *id);

/* Removes file @number of the trace if the file with this name is still the file @id. If another
 * file has the name, prints a warning and removes nothing. */
void trace_file_remove(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Calls fsync() for file @number of the trace. Returns 0 or -errno, and prints nothing. Returns
 * -ENOENT if the file was removed, or if another file than @id has its name. */
int trace_file_sync(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* Returns true if the path of file @number still leads to the file @id. Returns false if somebody
 * has renamed the file or a directory of its path. */
bool trace_file_is_there(const struct trace_place *p, u32 number, const struct trace_file_id *id);

/* ---- lets a new trace take the path of an existing file ---- */

/* Checks if the file at the path of a new trace may be renamed to NAME.old. It must be a trace that
 * is not empty and belongs to this user. With @force, any regular file of this user may be renamed.
 *
 * The rename replaces an existing NAME.old. So the same rule applies to NAME.old, but NAME.old may
 * also be an empty file of this user.
 *
 * Returns 1 if the file may be renamed, or -EEXIST after it has printed an error. Returns 0 if
 * there is nothing to rename: there is no file, it is empty, or it is not a regular file of this
 * user. trace_file_create() then opens or refuses the file. */
int replace_check(const struct trace_place *p, bool force);

/* Renames the existing file to NAME.old, if replace_check() permits it, and warns of it. Returns 1
 * if it was renamed, 0 if there is nothing to rename, or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Undoes replace_set_aside(): renames NAME.old to its former path, the path of the trace. Prints an
 * error if the rename fails, for example because a file with this path exists again. */
void replace_put_back(const struct trace_place *p);

#endif
