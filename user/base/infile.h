/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file that a command reads. */
#ifndef IOSPAN_INFILE_H
#define IOSPAN_INFILE_H

#include <stdio.h>

/* Opens @path for reading, unless stdout writes to it; see infile_check(). Returns NULL after an
 * error, with errno set; prints the error. */
FILE *infile_open(const char *path);

/* Returns -EINVAL if stdout writes to the regular file that @fd reads, because the result would
 * overwrite the input. Prints the error. */
int infile_check(int fd, const char *path);

#endif
