/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_IMPORT_TEXT_H
#define IOSPAN_IMPORT_IMPORT_TEXT_H

#include "tools/import/import.h"

/* Each skips blanks at *@s, takes its value and moves *@s behind it, or says false and
 * leaves all as it was. No sign, no overflow. */
bool take_u64(char **s, u64 *v);
bool take_seconds(char **s, u64 *ns); /* 12.0345; digits below 1 ns are no time */
bool take_char(char **s, char c);
char *take_word(char **s); /* to the next blank, ended there; NULL: none */
const char *base_name(const char *path);
bool darshan_warns(const char *line); /* a comment of Darshan's parsers that is a warning */

#endif
