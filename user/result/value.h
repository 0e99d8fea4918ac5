/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a document as text, and their titles. */
#ifndef IOSPAN_RESULT_VALUE_H
#define IOSPAN_RESULT_VALUE_H

#include "user/result/place.h"
#include "user/result/view.h"

/* Return the value of column @c in row @at: value_text() for people, with its unit; value_exact()
 * for programs, with all digits. The caller frees it. */
char *value_text(const struct place *at, const struct view_column *c);
char *value_exact(const struct place *at, const struct view_column *c);

/* Returns @text with the value of the row @at in place of each "{path}". "{a|b}" stands for the value
 * of the first path that has one. The caller frees it. */
char *value_fill(const struct place *at, const char *text);

/* value_title() returns the title of a column for people; the caller frees it. value_csv_title()
 * returns its title in CSV. */
char *value_title(const struct view_column *c);
const char *value_csv_title(const struct view_column *c);

/* Returns the meaning of a column that shows a metric; NULL: it shows none. */
const char *value_help(const struct view_column *c);

/* Returns a key of a document for people, such as "memory limit bytes" for "memory_limit_bytes", or
 * the title of a metric. The caller frees it. */
char *value_name(const char *key);

#endif
