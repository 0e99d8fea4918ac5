/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing of the fields of a line. */
#ifndef IOSPAN_IMPORT_IMPORT_TEXT_H
#define IOSPAN_IMPORT_IMPORT_TEXT_H

#include "tools/import/import.h"

/* These functions skip blanks at *@s, take a value and move *@s after it. If there is no such
 * value, they return false and change nothing. A sign or an overflow is an error. */
bool take_u64(char **s, u64 *v);
bool take_seconds(char **s, u64 *ns); /* takes a value such as 12.0345, with at most 9 decimals */
bool take_char(char **s, char c);

/* Takes the text up to the next blank, which it replaces by NUL. Returns NULL if there is no
 * text. */
char *take_word(char **s);

const char *base_name(const char *path);

/* Returns true if @line is a warning that Darshan's parsers print as a comment. */
bool darshan_warns(const char *line);

#endif
