/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the progress of long work as one line on the terminal, which each call replaces. Prints
 * nothing if --quiet is given. */
#ifndef IOSPAN_PROGRESS_H
#define IOSPAN_PROGRESS_H

void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
