/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory below a directory that the user names. The owner of that parent directory
 * may rename the temporary directory at any time, and create a link or another directory with its
 * name. So iospan keeps the temporary directory open, and compares its inode before it removes
 * anything. */
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

/* Opens the parent directory @path. Returns 0 or -errno, and prints the error. */
int workdir_open(struct workdir *w, const char *path);

/* Makes the directory @name in the parent directory; no other user can write there. Unless @keep is
 * set, the directory is removed with its files when this process ends. @path is the parent's path,
 * for error messages. Returns 0 or -errno, and prints the error. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the directory, unless workdir_make() was called with @keep. Returns -EINTR as
 * cleanup_finish() does. After another error, returns -errno: the directory remains, perhaps under
 * another name, without the files that could be removed. The caller calls this once after
 * workdir_open(), even if that failed. */
int workdir_close(struct workdir *w);

#endif
