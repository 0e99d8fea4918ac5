/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages on stderr, each in one line: "iospan: ", the fault, and the object in quotes,
 * without a full stop. Control characters become '?'. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Error code for a wrong command line, after which iospan exits with status 2. It is above all
 * values of errno. */
#define EUSAGE 5000

/* Prints the message and returns @code, which is -errno or -EUSAGE, so that a function can `return
 * error(...)`. Does not change errno. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The options --quiet and --verbose. They decide which messages are printed in addition to results
 * and errors. */
extern struct verbosity {
	bool quiet, verbose;
} verbosity;

/* Prints a warning, unless --quiet is given. Does not change errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning about lost data, even if --quiet is given. Does not change errno. */
void warn_loss(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "  note: " and one line of text to the report @f, unless --quiet is given. */
void note(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns @memory. If @memory is NULL, prints "out of memory" and exits with status 1. */
void *need(void *memory);

#endif
