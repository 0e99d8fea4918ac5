/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for users of other tools: the command line that does what theirs meant. */
#ifndef IOSPAN_BASE_OPT_HINT_H
#define IOSPAN_BASE_OPT_HINT_H

#include "user/base/opt.h"

/* The line to use in place of @argv, which ends with a NULL; NULL: the same line. Sets @foreign to
 * the first argument that the command does not take, or NULL. The caller frees the line. */
char *opt_hint_line(const struct opt_page *page, char **argv, const char **foreign);

#endif
