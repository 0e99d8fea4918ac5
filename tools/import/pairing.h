/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs the events of a request or bio, which make one access. */
#ifndef IOSPAN_IMPORT_PAIRING_H
#define IOSPAN_IMPORT_PAIRING_H

#include "tools/import/blkparse.h"

void pairing_release(struct pairing *p);

/* Takes the next event. Returns 0 or -errno; prints the error. */
int pairing_take(struct import *im, struct pairing *p, const struct event *e);

/* Returns the disk, which is new or known, or NULL if there are too many. */
struct disk *pairing_disk(struct pairing *p, u64 dev);

/* Adds the access of @f, which ended at @end_ns. @flags: enum trace_flag. Returns 0 or -errno. */
int pairing_emit(struct import *im, struct pairing *p, const struct flight *f, u64 bytes,
		 u64 end_ns, u32 flags);

/* Reports an end before its start. Returns as import_bad(). */
int pairing_disorder(struct import *im);

#endif
