/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters in names of files, programs and cgroups that a terminal must not get: control
 * characters and invalid bytes, which could break a line or change the state of the terminal, and
 * characters that change the direction of the text, which could make a line look like another. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

/* Returns the length in bytes of the control character, or change of direction, at @text; or 0 if
 * there is none. */
int control_bytes(const char *text);

/* Does the same, and returns 1 for a byte that is not part of a character in UTF-8. */
int harmful_bytes(const char *text);

/* Replaces each harmful byte in @text by '?'. */
void disarm(char *text);

#endif
