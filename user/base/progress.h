/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the progress of long work as one line on the terminal. Each call replaces the line. Prints
 * nothing if --quiet is given or stderr is no terminal. */
#ifndef IOSPAN_PROGRESS_H
#define IOSPAN_PROGRESS_H

void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
