/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes accesses from the events of blktrace: finds the two events that start and end an access. A
 * flight is a bio or request that has started and not completed yet. The functions below report a
 * fault by import_bad(), which --skip-bad turns into a warning. */
#ifndef IOSPAN_IMPORT_PAIRING_H
#define IOSPAN_IMPORT_PAIRING_H

#include "tools/import/blkparse.h"

void pairing_release(struct pairing *p);

/* Handles event @e. The caller passes all events in the order of time. Returns 0 or -errno; prints
 * the error. */
int pairing_take(struct import *im, struct pairing *p, const struct event *e);

/* Returns the disk with device number @dev, and adds it if it is new. Returns NULL if there are too
 * many disks. */
struct disk *pairing_disk(struct pairing *p, u64 dev);

/* Adds an access to the trace for the bio or request @f. The access has @bytes bytes and ends at
 * @end_ns. @flags has bits of enum trace_flag. Returns 0 or -errno; prints the error. */
int pairing_emit(struct import *im, struct pairing *p, const struct flight *f, u64 bytes,
		 u64 end_ns, u32 flags);

/* Reports that the lines are not in the order of time; the caller found that an access ends before
 * it starts. Returns the result of import_bad(). */
int pairing_disorder(struct import *im);

#endif
