/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds messages to stderr back while iospan draws on the terminal. */
#ifndef IOSPAN_TOP_MESSAGES_H
#define IOSPAN_TOP_MESSAGES_H

/* From now on, collects the messages that this process writes to stderr. Returns 0 or -errno;
 * prints the error. */
int messages_hold(void);

/* Writes the messages that messages_hold() has collected to the original stderr. */
void messages_release(void);

#endif
