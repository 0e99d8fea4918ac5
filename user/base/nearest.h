/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for misspelt words. */
#ifndef IOSPAN_BASE_NEAREST_H
#define IOSPAN_BASE_NEAREST_H

#include <stddef.h>

/* The word of @words (NULL-ended) that differs from the first @len bytes of @word by a few letters, or
 * starts with them; NULL: none. */
const char *nearest_word(const char *const *words, const char *word, size_t len);

#endif
