/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates memory, or prints an error and exits; see need() in err.h. */
#ifndef IOSPAN_BASE_NEED_H
#define IOSPAN_BASE_NEED_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/err.h"

/* Ensures that the array @list, which has *@n elements of @size bytes, has an element @i. New
 * elements are zero. Returns the array, which the caller must use instead of @list. */
void *need_index(void *list, uint32_t *n, uint32_t i, size_t size);

/* Returns formatted text in new memory, as asprintf(3) does. The caller frees the text. */
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Returns the strings of @words with blanks between them. @words ends with NULL, or is NULL. The
 * caller frees the text. */
char *need_words(char *const *words);
char *need_vtext(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));

#endif
