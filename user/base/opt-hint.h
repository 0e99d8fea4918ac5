/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If the user gave arguments of another tool, such as --rw of fio, suggests a command line of
 * iospan that means the same. */
#ifndef IOSPAN_BASE_OPT_HINT_H
#define IOSPAN_BASE_OPT_HINT_H

#include "user/base/opt.h"

/* Returns "try: " and a copy of the command line @argv, which ends with NULL. In the copy, the
 * hints of @page replace arguments of other tools. An argument is left out if the command has no
 * counterpart, or if @argv already has the counterpart. Notes stand before "try: ": why an argument
 * is left out, and which option the user needs as well.
 *
 * Returns NULL if no hint applies. Sets *@foreign to the first argument that the command does not
 * accept, or to NULL. The caller frees the text. */
char *opt_hint_line(const struct opt_page *page, char **argv, const char **foreign);

#endif
