/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a JSON document as text, and the titles of their columns. A row of a table is a member
 * of the document, such as a disk. A path leads from this member to a value, such as "bytes"
 * (view.h). */
#ifndef IOSPAN_RESULT_VALUE_H
#define IOSPAN_RESULT_VALUE_H

#include "user/result/place.h"
#include "user/result/view.h"

/* Return the value of column @c in row @at. value_text() formats it for people, with its unit.
 * value_exact() formats it for programs, with all digits. The caller frees the text. */
char *value_text(const struct place *at, const struct view_column *c);
char *value_exact(const struct place *at, const struct view_column *c);

/* Returns @text with each "{path}" replaced by the value at this path in the row @at. "{a|b}"
 * stands for the value at path a or, if there is none, at path b. The caller frees the result. */
char *value_fill(const struct place *at, const char *text);

/* value_title() returns the title of a column for people; the caller frees it. value_csv_title()
 * returns the title of the column in CSV. */
char *value_title(const struct view_column *c);
const char *value_csv_title(const struct view_column *c);

/* If column @c shows a metric, returns the help text of the metric. Otherwise returns NULL. */
const char *value_help(const struct view_column *c);

/* Returns the key of a document member as people read it, such as "memory limit bytes" for
 * "memory_limit_bytes". For the key of a metric, returns the title of the metric. The caller frees
 * it. */
char *value_name(const char *key);

#endif
