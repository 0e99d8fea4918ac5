// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/control.h"
#include "user/base/err.h"

struct verbosity verbosity;

static void print_message(const char *severity, const char *fmt, va_list args)
{
	int saved = errno;
	char *text = NULL;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	if (text)
		disarm(text);
	/* one call makes one write(2), which does not mix with the output of other processes */
	fprintf(stderr, "iospan: %s%s\n", severity, text ? text : fmt);
	free(text);
	errno = saved;
}

int error(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_message("", fmt, args);
	va_end(args);
	return code;
}

void warn(const char *fmt, ...)
{
	va_list args;

	if (verbosity.quiet)
		return;
	va_start(args, fmt);
	print_message("warning: ", fmt, args);
	va_end(args);
}

void warn_loss(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_message("warning: ", fmt, args);
	va_end(args);
}

void note(FILE *f, const char *fmt, ...)
{
	va_list args;

	if (verbosity.quiet)
		return;
	va_start(args, fmt);
	fputs("  note: ", f);
	vfprintf(f, fmt, args);
	fputc('\n', f);
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
