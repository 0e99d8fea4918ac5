/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OPT_HELP_H
#define IOSPAN_BASE_OPT_HELP_H

#include <stdio.h>

#include "user/base/opt.h"

/* The @words of the bits in @set with commas between them, such as "app,vfs", as OPT_SET()
 * accepts them. The caller frees the string. */
char *opt_words(const char *const *words, unsigned set);

/* The page that --help prints, with the values that the variables hold now. */
void opt_help(FILE *f, const struct opt_page *page);

#endif
