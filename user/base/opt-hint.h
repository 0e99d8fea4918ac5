/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a command line of iospan for arguments of another tool, such as --rw of fio. */
#ifndef IOSPAN_BASE_OPT_HINT_H
#define IOSPAN_BASE_OPT_HINT_H

#include "user/base/opt.h"

/* Returns @argv (ends with NULL) with the replacements of page->hints, or NULL; the caller frees
 * it. Sets *@foreign to the first argument that the command does not accept, or NULL. */
char *opt_hint_line(const struct opt_page *page, char **argv, const char **foreign);

#endif
