/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a bio from Q through split and remap. */
#ifndef IOSPAN_IMPORT_BIOS_H
#define IOSPAN_IMPORT_BIOS_H

#include "tools/import/blkparse.h"

/* Takes the process from @e. */
void flight_name(struct flight *f, const struct event *e);

void bio_queue(struct pairing *p, const struct event *e);
void bio_split(struct pairing *p, const struct event *e);
void bio_remap(struct pairing *p, const struct event *e);
/* Adds an access for each bio that ends within the sectors of @e. Returns their number, or -errno;
 * prints the error. */
int bios_complete(struct import *im, struct pairing *p, const struct event *e);

#endif
