/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses one line of blkparse's output, which is one event of blktrace. */
#ifndef IOSPAN_IMPORT_IMPORT_EVENT_H
#define IOSPAN_IMPORT_IMPORT_EVENT_H

#include "tools/import/blkparse.h"

/* Parses the line @text into @e. Changes @text; e->comm points into @text. Sets *@skip to true if
 * the importer does not need this kind of event. Returns NULL, or a text that describes the fault
 * of the line. */
const char *event_parse(char *text, struct event *e, bool *skip);

/* Sets *@ns to the time of the line @text. If the line has no time, leaves *@ns unchanged. */
void event_time(char *text, u64 *ns);

#endif
