/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages to the user, on stderr. Each is one line: "iospan: " and a text in lower case, without
 * a full stop, the fault first, the subject in quotes. Control characters in it become '?'. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* The command line is wrong: exit status 2. The value is above the range of errno. */
#define EUSAGE 5000

/* Prints the message and returns @code (-errno or -EUSAGE), for `return error(...)`.
 * Keeps errno. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints a warning; the caller continues. Keeps errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Returns @memory. If it is NULL, prints an error and exits with status 1. */
void *need(void *memory);

#endif
