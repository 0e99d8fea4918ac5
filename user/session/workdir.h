/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory in a directory that the user names. The owner of the parent directory may
 * rename it at any time and create a link or another directory of the same name. So it is kept
 * open, and its inode is compared before anything is removed. */
#ifndef IOSPAN_WORKDIR_H
#define IOSPAN_WORKDIR_H

#include <stdbool.h>
#include "user/session/cleanup.h"

struct workdir {
	int above;		   /* the parent directory, O_PATH; -1: not open */
	int fd;			   /* the temporary directory; -1: not made */
	struct workdir_made *made; /* shared with the cleanup process */
	struct cleanup cleanup;
};

/* Opens the parent directory @path. -errno, printed. */
int workdir_open(struct workdir *w, const char *path);

/* Makes the directory @name in it; no other user can write there. Unless @keep is set, it is
 * removed with its files when this process ends. Errors name @path. -errno, printed. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the directory unless it is kept. -EINTR: see cleanup_finish(). Other -errno: the
 * directory remains, perhaps under another name, without the files that could be removed. Call once
 * after workdir_open(), even if that failed. */
int workdir_close(struct workdir *w);

#endif
