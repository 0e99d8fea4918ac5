/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the input file of a command. Refuses a file that is also stdout, because the result would
 * overwrite it. */
#ifndef IOSPAN_INFILE_H
#define IOSPAN_INFILE_H

#include <stdio.h>

/* Opens @path for reading and calls infile_check(). After an error, prints it and returns NULL with
 * errno set. */
FILE *infile_open(const char *path);

/* @fd is a descriptor of the input @path. If stdout is the same regular file, the result would
 * overwrite the input. Then prints an error and returns -EINVAL. Otherwise returns 0. */
int infile_check(int fd, const char *path);

#endif
