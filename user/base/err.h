/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages to the user, all on stderr and in one form: "iospan: " and a text
 * in lower case, without a full stop, the trouble first, the subject quoted. One message is one
 * line, whatever is in a name. */
#ifndef IOSPAN_ERR_H
#define IOSPAN_ERR_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* The command line is wrong: exit status 2. Beyond the kernel's errno range. */
#define EUSAGE 5000

/* Prints and returns @code (negative errno or -EUSAGE), so that no path
 * prints and then leaves with another status. */
int error(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Something the user should know; the work goes on. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* @memory, unless that is NULL: then the program ends, because without memory
 * nothing sensible can be reported. */
void *need(void *memory);

#endif
