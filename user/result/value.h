/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a document as text, and their titles. */
#ifndef IOSPAN_RESULT_VALUE_H
#define IOSPAN_RESULT_VALUE_H

#include "user/result/place.h"
#include "user/result/view.h"

/* Column @c in row @at: for people with a unit, for programs with all digits. The caller frees
 * it. */
char *value_text(const struct place *at, const struct view_column *c);
char *value_exact(const struct place *at, const struct view_column *c);

/* Title of a column, for people (freed by the caller) and in CSV. */
char *value_title(const struct view_column *c);
const char *value_csv_title(const struct view_column *c);

/* Meaning of a metric's column, or NULL. */
const char *value_help(const struct view_column *c);

/* A key for people: "memory limit bytes" for "memory_limit_bytes", or a metric's title. The caller
 * frees it. */
char *value_name(const char *key);

#endif
