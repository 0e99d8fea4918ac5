// SPDX-License-Identifier: GPL-2.0-or-later
/* Suggests a word for a misspelt word. The distance of two words is the number of edits (letters
 * inserted, removed or replaced) that change one word into the other. */
#include "user/base/nearest.h"

#include <string.h>

#define NEAREST_WORD 64 /* longest word that is compared, in letters */

/* Returns the Levenshtein distance of two words. Keeps only one row of the table of distances in
 * memory. */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[NEAREST_WORD + 1];

	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned change = diagonal + (a[i - 1] != b[j - 1]);
			unsigned shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = change < shift ? change : shift;
		}
	}
	return row[b_len];
}

const char *nearest_word(const char *const *words, const char *word, size_t len)
{
	/* A word is suggested if its distance is below `least`: at most 1 edit for 2 or 3 letters,
	 * 2 edits for 4 to 7 letters, 3 edits for longer words. */
	unsigned least = 2 + (len > 3) + (len > 7);
	const char *found = NULL;

	if (!len || len > NEAREST_WORD)
		return NULL;
	/* Suggests no word for a word of one letter, because any other letter is only 1 edit
	 * away. */
	least = len < least ? len : least;
	for (; *words; words++) {
		size_t n = strlen(*words);
		unsigned d = n > NEAREST_WORD ? least : distance(word, len, *words, n);

		if (len > 2 && !strncmp(*words, word, len) && least > 1)
			d = 1;
		/* A short word with 2 edits must keep its first letter: nobody writes "time" for
		 * "name". */
		if (d > 1 && len < 5 && **words != *word)
			continue;
		/* Among equally near words, prefers the longer one: users omit more letters than
		 * they add. */
		if (d < least || (found && d == least && n > strlen(found))) {
			least = d;
			found = *words;
		}
	}
	return found;
}
