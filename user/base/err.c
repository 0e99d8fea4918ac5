// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints errors, warnings and notes as lines on stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/control.h"
#include "user/base/err.h"

struct verbosity verbosity;

/* Prints one line with one write(2), so that output of other processes cannot get into the line. */
static void print_message(FILE *f, const char *start, const char *fmt, va_list args)
{
	int saved = errno;
	char *text = NULL;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	if (text)
		disarm(text);
	fprintf(f, "%s%s\n", start, text ? text : fmt);
	free(text);
	errno = saved;
}

int error(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_message(stderr, "iospan: ", fmt, args);
	va_end(args);
	return code;
}

void warn(const char *fmt, ...)
{
	va_list args;

	if (verbosity.quiet)
		return;
	va_start(args, fmt);
	print_message(stderr, "iospan: warning: ", fmt, args);
	va_end(args);
}

void warn_loss(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_message(stderr, "iospan: warning: ", fmt, args);
	va_end(args);
}

void note(FILE *f, const char *fmt, ...)
{
	va_list args;

	if (verbosity.quiet)
		return;
	va_start(args, fmt);
	print_message(f, "  note: ", fmt, args);
	va_end(args);
}

void *need(void *memory)
{
	if (!memory) {
		error(-ENOMEM, "out of memory");
		exit(1);
	}
	return memory;
}
