/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that the program ends without, by need() in err.h. */
#ifndef IOSPAN_BASE_NEED_H
#define IOSPAN_BASE_NEED_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/err.h"

/* @list of *@n elements of @size, or, if it has no element @i yet, a longer one, whose new elements
 * are zeroes; it takes the place of @list. */
void *need_index(void *list, uint32_t *n, uint32_t i, size_t size);

/* Text that asprintf(3) would make, of memory as need() wants it; the caller frees it. */
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *need_vtext(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));

#endif
