/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a line of blkparse. */
#ifndef IOSPAN_IMPORT_IMPORT_EVENT_H
#define IOSPAN_IMPORT_IMPORT_EVENT_H

#include "tools/import/blkparse.h"

/* Changes @text, to which @e refers. Sets *@skip if the event neither starts nor ends an access.
 * Returns NULL, or what is wrong with the line. */
const char *event_parse(char *text, struct event *e, bool *skip);

/* Sets *@ns to the time of the line, if it has one. */
void event_time(char *text, u64 *ns);

#endif
