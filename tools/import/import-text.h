/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes single fields from a line of text. */
#ifndef IOSPAN_IMPORT_IMPORT_TEXT_H
#define IOSPAN_IMPORT_IMPORT_TEXT_H

#include "tools/import/import.h"

/* Skip blanks, read a value and move *@s behind it; false: none, nothing changed. Numbers have no
 * sign and must fit. */
bool take_u64(char **s, u64 *v);
bool take_seconds(char **s, u64 *ns); /* seconds such as 12.0345, with at most 9 decimals */
bool take_char(char **s, char c);

/* Up to the next blank, which becomes NUL; NULL: no text. */
char *take_word(char **s);

const char *base_name(const char *path);

/* Returns true if @line is a comment by which one of Darshan's parsers prints a warning. */
bool darshan_warns(const char *line);

#endif
