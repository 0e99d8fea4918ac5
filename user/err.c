// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "err.h"

int control_bytes(const char *text)
{
	const unsigned char *c = (const void *)text;

	if (*c == 0xc2 && (c[1] & 0xe0) == 0x80)	/* U+0080 to U+009F */
		return 2;
	return *c && (*c < ' ' || *c == 0x7f);
}

void disarm(char *text)
{
	for (; *text; text++)
		for (int n = control_bytes(text); n; n--)
			text[n - 1] = '?';
}

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
