// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "user/base/control.h"

#define LENGTH 512 /* longer lines are cut: names in them have any length */

void progress(const char *fmt, ...)
{
	char text[LENGTH];
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	disarm(text);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
}

void progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
