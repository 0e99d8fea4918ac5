// SPDX-License-Identifier: GPL-2.0-or-later
/* Cuts text to a number of screen columns. A character takes one or two columns. */
#include "user/base/wide.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/err.h"

/* Returns the next character of *@text and moves *@text past it. */
static wchar_t next_character(const char **text, mbstate_t *state)
{
	size_t bytes = control_bytes(*text), length;
	wchar_t c;

	if (bytes) {
		*text += bytes;
		return L'?';
	}
	length = mbrtowc(&c, *text, strlen(*text), state);
	if (length > MB_LEN_MAX) { /* mbrtowc() found an invalid or incomplete character */
		memset(state, 0, sizeof(*state));
		++*text;
		return L'?';
	}
	*text += length;
	return wcwidth(c) > 0 ? c : L'?';
}

/* Returns @text as new wide characters, with its width on the screen in *@columns. */
static wchar_t *decode(const char *text, int *columns)
{
	wchar_t *all = need(calloc(strlen(text) + 1, sizeof(*all)));
	mbstate_t state = {};

	*columns = 0;
	for (size_t n = 0; *text; n++) {
		all[n] = next_character(&text, &state);
		*columns += wcwidth(all[n]);
	}
	return all;
}

int wide_columns(const char *text)
{
	int columns;

	free(decode(text, &columns));
	return columns;
}

static int keep_start(wchar_t *to, const wchar_t *all, int columns)
{
	int taken = 1;

	for (; taken + wcwidth(*all) <= columns; taken += wcwidth(*all++))
		*to++ = *all;
	wcscpy(to, L">");
	return taken;
}

static int keep_end(wchar_t *to, const wchar_t *all, int taken, int columns)
{
	while (taken > columns - 1)
		taken -= wcwidth(*all++);
	*to++ = L'<';
	wcscpy(to, all);
	return taken + 1;
}

/* Keeps the start and the end of the text. The kept end is longer than the kept start, because
 * names that start alike differ at the end. */
static int keep_both(wchar_t *to, const wchar_t *all, int taken, int columns)
{
	int first = (columns - 1) / 3, used = 0;

	for (; used + wcwidth(*all) <= first; all++) {
		used += wcwidth(*all);
		taken -= wcwidth(*all);
		*to++ = *all;
	}
	used += keep_end(to, all, taken, columns - used);
	*to = L'~';
	return used;
}

int wide_fit(wchar_t *to, const char *text, int columns, enum wide_end stays)
{
	int taken;
	wchar_t *all = decode(text, &taken);

	if (taken <= columns)
		wcscpy(to, all);
	else if (columns < 1)
		*to = taken = 0;
	else if (stays == WIDE_BEGIN)
		taken = keep_start(to, all, columns);
	else if (stays == WIDE_BOTH)
		taken = keep_both(to, all, taken, columns);
	else
		taken = keep_end(to, all, taken, columns);
	free(all);
	return taken;
}
