/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory in a directory that the user specifies. Another user who may write to the
 * parent directory can rename or replace the temporary directory. So iospan keeps the temporary
 * directory open, and compares inodes before it removes anything. */
#ifndef IOSPAN_WORKDIR_H
#define IOSPAN_WORKDIR_H

#include <stdbool.h>
#include "user/session/cleanup.h"

struct workdir {
	int above;		   /* O_PATH descriptor of the parent directory; -1: not open */
	int fd;			   /* descriptor of the temporary directory; -1: not made */
	struct workdir_made *made; /* memory that is shared with the cleanup process */
	struct cleanup cleanup;
};

/* Opens @path, the directory in which the temporary directory will be made. Returns 0 or -errno;
 * prints the error. */
int workdir_open(struct workdir *w, const char *path);

/* Makes the temporary directory @name, which others cannot write. If @keep is false, the directory
 * and its files are removed when iospan ends, even if SIGKILL ends it. @path is the parent
 * directory, for messages. Returns 0 or -errno; prints the error. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the temporary directory, unless workdir_make() was called with @keep. Returns -EINTR if
 * the removal continues in the background (see cleanup_finish()), or -errno if the directory
 * remains. Call it once after workdir_open(), even if workdir_open() failed. */
int workdir_close(struct workdir *w);

#endif
