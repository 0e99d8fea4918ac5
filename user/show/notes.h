/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The notes of a report: sentences about facts that change the meaning of a number. */
#ifndef IOSPAN_SHOW_NOTES_H
#define IOSPAN_SHOW_NOTES_H

#include "user/show/show.h"

/* Calls @note with each note about this measurement. Example: a sentence that says that the app
 * layer did not see a program. */
void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

/* Calls @note with a sentence for each limit: a fact that affects all measurements on this
 * machine. */
void report_limits(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

/* the report has this note if has_stacked() returns true */
#define STACKED_NOTE "device: disks marked * are stacked and not in the total"
/* the report also has this note if has_only_stacked() returns true */
#define ONLY_STACKED_NOTE \
	"device: the total is 0: it leaves out stacked disks, and no other measured disk has " \
	"reads or writes"
/* Returns true if a stacked disk has accesses. */
bool has_stacked(const struct measurement *m);
/* Returns true if only stacked disks have accesses, so the total of the device layer is 0. */
bool has_only_stacked(const struct measurement *m);

#endif
