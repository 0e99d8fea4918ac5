/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a word for a misspelt word, for messages with "did you mean". */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* Compares the first @len bytes of @word with the words in @words, which ends with NULL. Returns a
 * word of @words that starts with these bytes. If there is none, returns the word of @words that
 * differs from these bytes by the fewest letters. Returns NULL if all words differ too much. */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
