/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OPT_HELP_H
#define IOSPAN_BASE_OPT_HELP_H

#include <stdio.h>

#include "user/base/opt.h"

/* "app,vfs": those of @words whose bits are in @set, as OPT_SET() takes them. The caller
 * frees it. */
char *opt_words(const char *const *words, unsigned set);

/* The page that --help prints, with the values that the variables hold now. */
void opt_help(FILE *f, const struct opt_page *page);

#endif
