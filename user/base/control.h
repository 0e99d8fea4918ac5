/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control characters in names of files, programs and cgroups: they could break the line that a
 * name stands in, or play with the terminal. */
#ifndef IOSPAN_CONTROL_H
#define IOSPAN_CONTROL_H

/* How many bytes the one at @text has; 0: it is none. */
int control_bytes(const char *text);

/* Makes each of their bytes a '?'. */
void disarm(char *text);

#endif
