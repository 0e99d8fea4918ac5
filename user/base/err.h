/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages to the user on stderr. Each message is one line: "iospan: " and a text in lower
 * case, without a full stop. The text names the fault first and has the object in quotes. Control
 * characters in the text are printed as '?'. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The error code for a wrong command line. iospan then exits with status 2. The value is above
 * those of errno. */
#define EUSAGE 5000

/* Prints the message and returns @code, which is -errno or -EUSAGE. So a function can `return
 * error(...)`. Does not change errno. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The options --quiet and --verbose. They decide how much is printed beside results and errors. */
extern struct verbosity {
	bool quiet, verbose;
} verbosity;

/* Prints a warning, unless --quiet is given. Does not change errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning about lost data, even if --quiet is given. Does not change errno. */
void warn_loss(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "  note: " and one line of text to the report @f, unless --quiet is given. */
void note(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns @memory. If it is NULL, prints "out of memory" and exits with status 1. */
void *need(void *memory);

#endif
