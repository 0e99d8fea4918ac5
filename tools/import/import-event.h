/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_IMPORT_EVENT_H
#define IOSPAN_IMPORT_IMPORT_EVENT_H

#include "tools/import/blkparse.h"

/* What is wrong with the line; NULL: @e. *@skip: it is none of our business. */
const char *event_parse(char *text, struct event *e, bool *skip);

/* Its time, if it has one. */
void event_time(char *text, u64 *ns);

#endif
