/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_IMPORT_PAIRING_H
#define IOSPAN_IMPORT_PAIRING_H

#include "tools/import/blkparse.h"

void pairing_release(struct pairing *p);

/* -errno, printed. */
int pairing_take(struct import *im, struct pairing *p, const struct event *e);

struct disk *disk_of(struct pairing *p, u64 dev); /* NULL: too many */

/* The access that @f was, ended. */
int pairing_emit(struct import *im, struct pairing *p, const struct flight *f, u64 bytes,
		 u64 end_ns, u32 flags);
int pairing_disorder(struct import *im); /* it ends before it begins */

#endif
