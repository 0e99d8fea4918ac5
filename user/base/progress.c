// SPDX-License-Identifier: GPL-2.0-or-later
/* Shows the progress of long work as one line on the terminal. */
#include "user/base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "user/base/control.h"
#include "user/base/err.h"

/* size in bytes of the line of progress; a longer line is cut, because names can have any length */
#define LENGTH 512

static bool is_shown(void)
{
	return !verbosity.quiet && isatty(STDERR_FILENO);
}

void progress(const char *fmt, ...)
{
	char text[LENGTH];
	va_list args;

	if (!is_shown())
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
	if (is_shown())
		fputs("\r\033[K", stderr);
}
