/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file again by its descriptor. */
#ifndef IOSPAN_REOPEN_H
#define IOSPAN_REOPEN_H

/* Opens the inode of @fd again, even if its name leads to another file or @fd is O_PATH. Adds
 * O_CLOEXEC and O_NOCTTY to @flags. Returns -errno and sets errno on failure. Prints nothing. */
int reopen(int fd, int flags);

#endif
