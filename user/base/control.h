/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds characters in names that must not reach a terminal: control characters and invalid bytes
 * could change its state, and a change of the text direction could fake another line. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

/* Returns the length in bytes of the control or direction character at the start of @text, else
 * 0. */
int control_bytes(const char *text);

/* control_bytes(), but 1 for an invalid byte in UTF-8 */
int harmful_bytes(const char *text);

/* Replaces each byte that harmful_bytes() finds by '?'. */
void disarm(char *text);

#endif
