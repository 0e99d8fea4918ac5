/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses one line of blkparse's output, which is one event of blktrace. */
#ifndef IOSPAN_IMPORT_IMPORT_EVENT_H
#define IOSPAN_IMPORT_IMPORT_EVENT_H

#include "tools/import/blkparse.h"

/* Changes @text, into which e->comm points. *@skip: this event does not matter. Returns NULL, or
 * the fault. */
const char *event_parse(char *text, struct event *e, bool *skip);

/* Sets *@ns to the time of the line @text. If the line has no time, leaves *@ns unchanged. */
void event_time(char *text, u64 *ns);

#endif
