// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/import/import.h"

#include <string.h>

static char *blanks(char *s)
{
	return s + strspn(s, " \t");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool take_u64(char **s, u64 *v)
{
	char *p = blanks(*s);
	u64 n = 0;

	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (u64)(*p - '0'), &n))
			return false;
	*v = n;
	*s = p;
	return true;
}

bool take_seconds(char **s, u64 *ns)
{
	char *p = *s;
	u64 v, unit = 100000000;

	if (!take_u64(&p, &v) || __builtin_mul_overflow(v, 1000000000ULL, &v) || *p != '.' ||
	    !is_digit(p[1]))
		return false;
	for (p++; is_digit(*p); p++) {
		if (!unit || __builtin_add_overflow(v, (*p - '0') * unit, &v))
			return false;
		unit /= 10;
	}
	*ns = v;
	*s = p;
	return true;
}

bool take_char(char **s, char c)
{
	char *p = blanks(*s);

	if (*p != c)
		return false;
	*s = p + 1;
	return true;
}

char *take_word(char **s)
{
	char *word = blanks(*s), *end = word + strcspn(word, " \t");

	if (end == word)
		return NULL;
	*s = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

bool darshan_warns(const char *line)
{
	return !strncmp(line, "# WARNING", strlen("# WARNING")) ||
		!strncmp(line, "# *WARNING*", strlen("# *WARNING*"));
}
