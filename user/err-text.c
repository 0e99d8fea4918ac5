// SPDX-License-Identifier: GPL-2.0-or-later
/* Apart from err.c, in whose place fuzz targets have their own. */
#include <stdarg.h>
#include <stdio.h>
#include "err.h"

char *need_vtext(const char *fmt, va_list args)
{
	char *text;

	return need(vasprintf(&text, fmt, args) < 0 ? NULL : text);
}

char *need_text(const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	return text;
}
