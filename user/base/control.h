/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds characters in names that must not reach a terminal: control characters and invalid bytes
 * could change its state, and a change of the text direction could fake another line. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

/* Returns the length of the control or direction character at the start of @text, else 0. */
int control_bytes(const char *text);

/* Like control_bytes(), but returns 1 for a byte that is invalid in UTF-8. */
int harmful_bytes(const char *text);

/* Replaces each byte that harmful_bytes() finds by '?'. */
void disarm(char *text);

#endif
