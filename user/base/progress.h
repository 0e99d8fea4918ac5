/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a long work is: one line on the terminal, in whose place the next one comes. Nothing,
 * where the standard error is no terminal. */
#ifndef IOSPAN_PROGRESS_H
#define IOSPAN_PROGRESS_H

void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void); /* leaves nothing of it */

#endif
