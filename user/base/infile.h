/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a file that a command reads. */
#ifndef IOSPAN_INFILE_H
#define IOSPAN_INFILE_H

#include <stdio.h>

/* NULL: printed, with the reason in errno. */
FILE *infile_open(const char *path);

/* -EINVAL, printed, if stdout writes to the regular file that @fd reads: the result would destroy
 * the input. */
int infile_check(int fd, const char *path);

#endif
