/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing of the fields of a line. */
#ifndef IOSPAN_IMPORT_IMPORT_TEXT_H
#define IOSPAN_IMPORT_IMPORT_TEXT_H

#include "tools/import/import.h"

/* Each function skips blanks at *@s, takes a value and moves *@s after it. Otherwise it returns
 * false and changes nothing. A sign or an overflow is an error. */
bool take_u64(char **s, u64 *v);
bool take_seconds(char **s, u64 *ns); /* 12.0345, with at most 9 decimals */
bool take_char(char **s, char c);

/* Takes the text up to the next blank, which becomes NUL. Returns NULL if there is none. */
char *take_word(char **s);

const char *base_name(const char *path);

/* Whether a comment of Darshan's parsers is a warning. */
bool darshan_warns(const char *line);

#endif
