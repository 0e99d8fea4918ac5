/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a bio from its queueing through splits and remaps; see bios.c. */
#ifndef IOSPAN_IMPORT_BIOS_H
#define IOSPAN_IMPORT_BIOS_H

#include "tools/import/blkparse.h"

/* Sets the process of @f to that of event @e. */
void flight_name(struct flight *f, const struct event *e);

void bio_queue(struct pairing *p, const struct event *e);
void bio_split(struct pairing *p, const struct event *e);
void bio_remap(struct pairing *p, const struct event *e);
/* Ends the bios that lie within the sectors of the completion @e, and adds an access for each.
 * Returns their number, or -errno; prints the error. */
int bios_complete(struct import *im, struct pairing *p, const struct event *e);

#endif
