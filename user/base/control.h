/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds characters that must not reach a terminal. Names of files, programs and cgroups may contain
 * them. Control characters and invalid bytes could break a line or change the state of the
 * terminal. Characters that change the direction of the text could make one line look like
 * another. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

#include <stdio.h>

/* If @text starts with a control character or a character that changes the direction of the text,
 * returns the length of that character in bytes. Otherwise returns 0. */
int control_bytes(const char *text);

/* Returns control_bytes(@text); or 1 if @text starts with a byte that is invalid in UTF-8. */
int harmful_bytes(const char *text);

/* Replaces each byte in @text that harmful_bytes() finds by '?'. */
void disarm(char *text);

/* Writes @text with each byte that harmful_bytes() finds as an escape, such as \x1b. A backslash that
 * would look like the start of an escape becomes \x5c. Thus unescape() restores the text. */
void escape_text(FILE *f, const char *text);
void unescape(char *text);

#endif
