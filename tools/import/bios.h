/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_BIOS_H
#define IOSPAN_IMPORT_BIOS_H

#include "tools/import/blkparse.h"

void flight_name(struct flight *f, const struct event *e); /* whose it is */

void bio_queue(struct pairing *p, const struct event *e);
void bio_split(struct pairing *p, const struct event *e);
void bio_remap(struct pairing *p, const struct event *e);
/* Those from @e->sector on, as far as it reaches, are accesses. How many; -errno. */
int bios_complete(struct import *im, struct pairing *p, const struct event *e);

#endif
