/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds characters that must not reach a terminal, for instance in the name of a file. Control
 * characters and invalid bytes could change the state of the terminal. A change of the text
 * direction could fake another line. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

#include <stdio.h>

/* If @text starts with a control character or with a character that changes the text direction,
 * returns the length of this character in bytes. Otherwise returns 0. */
int control_bytes(const char *text);

/* Like control_bytes(), but also returns 1 if @text starts with a byte that is invalid in UTF-8. */
int harmful_bytes(const char *text);

/* Overwrites each byte that harmful_bytes() finds with '?'. */
void disarm(char *text);

/* Writes @text. Each byte that harmful_bytes() finds becomes an escape, such as \x1b. A backslash
 * that would look like the start of an escape becomes \x5c. So unescape() can restore @text. */
void escape_text(FILE *f, const char *text);
void unescape(char *text);

#endif
