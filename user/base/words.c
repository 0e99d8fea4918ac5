// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/words.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/nearest.h"
#include "user/base/need.h"

char *words_item(const char **list)
{
	const char *start = *list, *end = start;

	if (!start)
		return NULL;
	while (*end && *end != ',')
		end += *end == '\\' && end[1] ? 2 : 1;
	*list = *end ? end + 1 : NULL;
	return need(strndup(start, end - start));
}

int words_error(const char *what, const char *const *words, const char *word, const char *remedy)
{
	const char *near = nearest_word(words, word, strlen(word));
	char *all = need_text("%s", words[0]);

	for (size_t i = 1; words[i]; i++) {
		char *before = all;

		all = need_text("%s, %s", before, words[i]);
		free(before);
	}
	error(-EUSAGE, "unknown %s '%s'; %s%s%sone of %s%s", what, word,
	      near ? "did you mean '" : "", near ?: "", near ? "'? " : "", all, remedy);
	free(all);
	return -EUSAGE;
}

int words_index(const char *what, const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return words_error(what, words, word, "");
}

const void *words_element(const char *what, const void *table, const char *word)
{
	const char *const *const *elements = table;
	const char **names;
	size_t n = 0;
	int i;

	while (elements[n])
		n++;
	names = need(calloc(n + 1, sizeof(*names)));
	while (n--)
		names[n] = *elements[n];
	i = words_index(what, names, word);
	free(names);
	return i < 0 ? NULL : elements[i];
}
