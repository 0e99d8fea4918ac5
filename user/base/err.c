// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/control.h"
#include "user/base/err.h"

static void say(const char *severity, const char *fmt, va_list args)
{
	int saved = errno;
	char *text = NULL;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	if (text)
		disarm(text);
	/* one call, so one write: it does not mix with another process's output */
	fprintf(stderr, "iospan: %s%s\n", severity, text ? text : fmt);
	free(text);
	errno = saved;
}

int error(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say("", fmt, args);
	va_end(args);
	return code;
}

void warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say("warning: ", fmt, args);
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
