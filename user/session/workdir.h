/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory below a directory that the user names. If another user may write to that
 * parent directory, he may rename the temporary directory at any time, or put a link in its place.
 * So iospan keeps it open, and compares inode numbers before it removes anything. */
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

/* Opens @path, the directory that shall contain the temporary directory. Returns 0 or -errno, and
 * prints the error. */
int workdir_open(struct workdir *w, const char *path);

/* Makes the temporary directory @name, which no other user can write. Unless @keep is true, it is
 * removed with its files when this process ends, even by SIGKILL. @path is the parent directory,
 * for error messages. Returns 0 or -errno, and prints the error. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the temporary directory, unless workdir_make() was called with @keep. Returns -EINTR if
 * the removal continues in the background (see cleanup_finish()). After another error, returns
 * -errno: as many files as possible are removed, but the directory remains. Must be called once
 * after workdir_open(), even if that failed. */
int workdir_close(struct workdir *w);

#endif
