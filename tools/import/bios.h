/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a bio through blktrace's events: queueing (Q), splits (X), remaps (A), completion (C). A
 * flight is a bio or request that an event started and no event completed yet. */
#ifndef IOSPAN_IMPORT_BIOS_H
#define IOSPAN_IMPORT_BIOS_H

#include "tools/import/blkparse.h"

/* Sets pid and process name of @f to those of event @e. */
void flight_name(struct flight *f, const struct event *e);

void bio_queue(struct pairing *p, const struct event *e);
void bio_split(struct pairing *p, const struct event *e);
void bio_remap(struct pairing *p, const struct event *e);
/* Handles a completion (C) of the sectors of event @e. Adds an access for each bio that has no
 * incomplete sectors left. Returns the number of bios found, or -errno; prints the error. */
int bios_complete(struct import *im, struct pairing *p, const struct event *e);

#endif
