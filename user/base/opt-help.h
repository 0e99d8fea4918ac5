/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OPT_HELP_H
#define IOSPAN_BASE_OPT_HELP_H

#include <stdio.h>

#include "user/base/opt.h"

/* Returns the @words of the bits in @set, such as "app,vfs" for OPT_SET(). The caller frees it. */
char *opt_words(const char *const *words, unsigned set);

/* Prints a command's --help. The defaults are the current values of the variables. */
void opt_help(FILE *f, const struct opt_page *page);

#endif
