// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/need.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *need_vtext(const char *fmt, va_list args)
{
	char *text;

	return need(vasprintf(&text, fmt, args) < 0 ? NULL : text);
}

void *need_index(void *list, uint32_t *n, uint32_t i, size_t size)
{
	uint32_t more = i + i / 2 + 16;

	if (i < *n)
		return list;
	list = need(reallocarray(list, more, size));
	memset((char *)list + *n * size, 0, (more - *n) * size);
	*n = more;
	return list;
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

char *need_words(char *const *words)
{
	size_t size;
	char *text;
	FILE *f = need(open_memstream(&text, &size));

	for (char *const *word = words; word && *word; word++)
		fprintf(f, "%s%s", word == words ? "" : " ", *word);
	need(fclose(f) ? NULL : text);
	return text;
}
