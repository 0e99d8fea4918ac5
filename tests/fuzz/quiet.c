// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces user/base/err.c in fuzz targets. It formats messages, because that may crash, but does
 * not print them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "user/base/err.h"

static void format(const char *fmt, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, args);
}

int error(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format(fmt, args);
	va_end(args);
	return code;
}

void warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format(fmt, args);
	va_end(args);
}

void *need(void *memory)
{
	if (!memory)
		abort();
	return memory;
}
