/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory below one that the user names. Another user with write permission there may
 * rename or replace it, so it stays open, and inodes are compared before a removal. */
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

/* Opens @path, for a temporary directory in it. Returns 0, or -errno after an error message. */
int workdir_open(struct workdir *w, const char *path);

/* Makes directory @name, not writable for others. Unless @keep, it is removed with its files when
 * this process ends, even by SIGKILL. @path: parent, for messages. 0, or -errno after a message. */
int workdir_make(struct workdir *w, const char *path, const char *name, bool keep);

/* Removes the directory unless @keep was given. Returns -EINTR if the removal continues in the
 * background (cleanup_finish()), or -errno if the directory remains. Call it once after
 * workdir_open(), even if that failed. */
int workdir_close(struct workdir *w);

#endif
