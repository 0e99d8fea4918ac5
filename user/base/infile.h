/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the input file of a command. Refuses a file that is also stdout, because the result would
 * overwrite it. Refuses a file that is given twice. */
#ifndef IOSPAN_INFILE_H
#define IOSPAN_INFILE_H

#include <stdio.h>

/* Opens @path for reading and calls infile_check(). After an error, prints it and returns NULL with
 * errno set. */
FILE *infile_open(const char *path);

/* Checks @fd, a descriptor of the input @path. If stdout is the same regular file, prints an error
 * and returns -EINVAL, because the result would overwrite the input. Otherwise returns 0. */
int infile_check(int fd, const char *path);

/* Checks that all input files are different: @first and the files in @more, which ends with NULL.
 * "-" is stdin. If two inputs are the same file, prints an error and returns -EUSAGE. Otherwise
 * returns 0. */
int infile_check_once(const char *first, char *const *more);

#endif
