/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file again by its descriptor. */
#ifndef IOSPAN_REOPEN_H
#define IOSPAN_REOPEN_H

/* Opens the file of @fd again, even if its name now leads to another file. @fd may be an O_PATH
 * descriptor. Adds O_CLOEXEC and O_NOCTTY to @flags. Returns the new descriptor, or -errno (errno
 * is set, too). Prints nothing. */
int reopen(int fd, int flags);

#endif
