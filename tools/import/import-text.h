/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes single fields from a line of text. */
#ifndef IOSPAN_IMPORT_IMPORT_TEXT_H
#define IOSPAN_IMPORT_IMPORT_TEXT_H

#include "tools/import/import.h"

/* Skips blanks at *@s, reads an unsigned number into *@v, and moves *@s past the number. If there
 * is no valid number, returns false and changes nothing. */
bool take_u64(char **s, u64 *v);
/* Like take_u64(), for seconds such as 12.0345 with at most 9 decimals. Stores the time in ns in
 * *@ns. */
bool take_seconds(char **s, u64 *ns);
bool take_char(char **s, char c);

/* Returns the text at *@s up to the next blank, which becomes a NUL, and moves *@s past this NUL.
 * Returns NULL if there is no text. */
char *take_word(char **s);

const char *base_name(const char *path);

/* Returns true if @line is a comment by which one of Darshan's parsers prints a warning. */
bool darshan_warns(const char *line);

#endif
