/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a word for a misspelt word, for messages with "did you mean". */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* Returns the word of @words that differs from the first @len bytes of @word by the fewest letters,
 * or NULL if all words differ too much. If several words differ by as few letters, returns the
 * longest of them. If @len is above 2, a longer word that starts with these bytes is treated as
 * different by 1 letter. @words ends with NULL. */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
