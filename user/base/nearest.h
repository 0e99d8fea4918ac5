/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a word for a misspelt word, for messages with "did you mean". */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* Returns the word of @words that is nearest to the first @len letters of @word: it differs by the
 * fewest letters. Among equally near words, returns the longest. If all words differ too much,
 * returns NULL. @words ends with NULL.
 *
 * A word of up to 4 letters that differs by 2 letters must have the same first letter.
 *
 * If @len is above 2, a word of @words that starts with these letters is treated as different by 1
 * letter. For example, "lat" is near "latency". */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
