/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a word for a misspelt one, for "did you mean". */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* Returns the word of @words that differs from @word by the fewest letters, or that starts with
 * @word. Returns NULL if every word differs by too many letters. @words ends with NULL. Only the
 * first @len bytes of @word are compared. */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
