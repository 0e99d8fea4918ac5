/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file again by its descriptor. */
#ifndef IOSPAN_REOPEN_H
#define IOSPAN_REOPEN_H

/* The file that @fd leads to: the same inode, whatever its name leads to by now. @fd may be of
 * O_PATH. @flags are those of open(2); O_CLOEXEC and O_NOCTTY are added. Returns -errno without a
 * message, and sets errno. */
int reopen(int fd, int flags);

#endif
