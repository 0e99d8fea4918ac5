/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a word for a misspelt one, for "did you mean". */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* Returns the word of @words (ends with NULL) that starts with the first @len bytes of @word, or
 * differs from them by the fewest letters. Returns NULL if all differ too much. */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
