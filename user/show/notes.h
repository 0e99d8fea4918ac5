/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_NOTES_H
#define IOSPAN_SHOW_NOTES_H

#include "user/show/show.h"

/* Facts that change the meaning of a number, for example programs that no layer saw. Calls
 * @note(@arg) with one sentence for each. */
void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

/* Limits that every measurement on this machine has. */
void report_limits(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

#endif
