/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages to the user, on stderr. Each is one line: "iospan: " and a text in lower case, without
 * a full stop, the fault first, the subject in quotes. Control characters in it become '?'. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The command line is wrong: exit status 2. The value is above the range of errno. */
#define EUSAGE 5000

/* Prints the message and returns @code (-errno or -EUSAGE), for `return error(...)`.
 * Keeps errno. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* How much is printed beside results and errors: the options --quiet and --verbose. */
extern struct verbosity {
	bool quiet, verbose;
} verbosity;

/* Prints a warning, unless --quiet; the caller continues. Keeps errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning about lost data, with --quiet as well. Keeps errno. */
void warn_loss(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "  note: " and a line of text to a report, unless --quiet. */
void note(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns @memory. If it is NULL, prints an error and exits with status 1. */
void *need(void *memory);

#endif
