/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory of a command's own, below one that the user names. The owner of the directory above
 * may rename the new one at any time, and put a link or another directory in its place. So it is
 * kept open, and its inode is compared before anything is removed. */
#ifndef IOSPAN_WORKDIR_H
#define IOSPAN_WORKDIR_H

#include <stdbool.h>
#include "user/session/janitor.h"

struct workdir {
	int above;		   /* the directory that the user names, O_PATH; -1: not open */
	int fd;			   /* the new one; -1: not made */
	struct workdir_made *made; /* shared with the cleanup process */
	struct janitor janitor;
};

/* Opens the directory @path. -errno, printed. */
int workdir_open(struct workdir *w, const char *path);

/* Makes the directory @name in it; no other user can write there. It is removed with its files when
 * this process ends, unless @keep. @path is shown in errors. -errno, printed. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the directory unless it is kept. -EINTR: as of janitor_end(). Else -errno: it is left, maybe under another name; its files
 * are gone if they could be. Call once after workdir_open(), whatever that returned. */
int workdir_close(struct workdir *w);

#endif
