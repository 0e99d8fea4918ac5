/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control characters in names of files, programs and cgroups. Printed as they are, they could
 * break a line or change the state of the terminal. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

/* Returns the length in bytes of the control character at @text, or 0 if there is none. */
int control_bytes(const char *text);

/* Replaces each byte of a control character in @text by '?'. */
void disarm(char *text);

#endif
