// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces user/base/err.c in fuzz programs. Formats each message, because the formatting might
 * crash. Does not print the messages, because millions of inputs are invalid. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "user/base/err.h"

struct verbosity verbosity;

static void format(const char *fmt, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, args);
}

#define FORMAT(fmt) \
	do { \
		va_list args; \
		va_start(args, fmt); \
		format(fmt, args); \
		va_end(args); \
	} while (0)

int error(int code, const char *fmt, ...)
{
	FORMAT(fmt);
	return code;
}

void warn(const char *fmt, ...)
{
	FORMAT(fmt);
}

void warn_loss(const char *fmt, ...)
{
	FORMAT(fmt);
}

void note(FILE *f, const char *fmt, ...)
{
	FORMAT(fmt);
}

void *need(void *memory)
{
	if (!memory)
		abort();
	return memory;
}
