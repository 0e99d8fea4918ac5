/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages on stderr, one line each: "iospan: ", the fault, the object in quotes, no full
 * stop. Control characters become '?'. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* a wrong command line: iospan exits with status 2; above all values of errno */
#define EUSAGE 5000

/* Prints the message and returns @code (-errno or -EUSAGE): `return error(...)`. Keeps errno. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The options --quiet and --verbose. They decide how much is printed beside results and errors. */
extern struct verbosity {
	bool quiet, verbose;
} verbosity;

/* Prints a warning, unless --quiet is given. Does not change errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning about lost data, even if --quiet. Keeps errno. */
void warn_loss(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "  note: " and a line of text to @f, unless --quiet. */
void note(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns @memory. NULL: prints "out of memory" and exits with status 1. */
void *need(void *memory);

#endif
