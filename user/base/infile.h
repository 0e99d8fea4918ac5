/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the input file of a command, unless the result on stdout would overwrite it. */
#ifndef IOSPAN_INFILE_H
#define IOSPAN_INFILE_H

#include <stdio.h>

/* Opens @path for reading. Returns NULL after it has printed an error, with errno set. */
FILE *infile_open(const char *path);

/* Returns -EINVAL, after an error message, if stdout is the regular file that @fd reads, because
 * the result would overwrite it; else 0. */
int infile_check(int fd, const char *path);

#endif
