/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file again by its descriptor. */
#ifndef IOSPAN_REOPEN_H
#define IOSPAN_REOPEN_H

/* Opens the inode of @fd again. Works even if the name of the file now leads to another file. @fd
 * may be an O_PATH descriptor. @flags are those of open(2); O_CLOEXEC and O_NOCTTY are added.
 * Returns the new descriptor; or -errno, and then also sets errno. Prints nothing. */
int reopen(int fd, int flags);

#endif
