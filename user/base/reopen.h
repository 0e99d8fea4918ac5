/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file again by its descriptor. */
#ifndef IOSPAN_REOPEN_H
#define IOSPAN_REOPEN_H

/* Opens the inode of @fd again, even if its name leads to another file by now. @fd may be an O_PATH
 * descriptor. @flags are those of open(2); O_CLOEXEC and O_NOCTTY are added. Returns the new
 * descriptor, or -errno, and then sets errno too; prints nothing. */
int reopen(int fd, int flags);

#endif
