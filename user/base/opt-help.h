/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the text of --help, and lists of words as options accept them. */
#ifndef IOSPAN_BASE_OPT_HELP_H
#define IOSPAN_BASE_OPT_HELP_H

#include <stdio.h>

#include "user/base/opt.h"

/* Returns the words @words[i] for each bit i that is set in @set, separated by commas, such as
 * "app,vfs". OPT_SET() accepts this text. The caller frees the text. */
char *opt_words(const char *const *words, unsigned set);

/* Prints the text of a command's --help. It shows the current values of the variables as
 * defaults. */
void opt_help(FILE *f, const struct opt_page *page);

#endif
