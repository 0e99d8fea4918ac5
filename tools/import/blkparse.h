/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the blkparse importer's files. Capitals in quotes or parentheses are actions of
 * blktrace. */
#ifndef IOSPAN_IMPORT_BLKPARSE_H
#define IOSPAN_IMPORT_BLKPARSE_H

#include "user/host/dev.h"
#include "tools/import/import.h"

#define COMM 16 /* size of a process name in bytes, with the NUL */

/* ---- flights: bios and requests in flight ---- */

enum flight_kind {
	FLIGHT_BIO,	/* a bio that was queued (Q) and has no request yet */
	FLIGHT_WAITING, /* a request in the scheduler: it was inserted (I) or requeued (R) */
	FLIGHT_ISSUED,	/* a request at the driver: it was issued (D) */
};

struct flight {
	/* key by which an event finds the flight, with @kind; @sector: first one not completed */
	u64 dev, sector;
	u64 first;	 /* first sector of the whole bio or request */
	u64 bytes, left; /* size of the whole bio or request; size that is not completed yet */
	/* time of the last Q, I or D; 0 after a requeue, until the request is inserted again */
	u64 since_ns;
	/* earlier time in the scheduler, and earlier time at the driver before a requeue */
	u64 queued_ns, held_ns;
	u64 pid;
	char comm[COMM];
	/* indices of other flights; flights.c describes the lists */
	u32 next, same, last, older, younger;
	u8 kind, op;
	bool failed;
	/* from a split (X) or remap (A): a following Q with this key is this bio */
	bool made;
	/* a stacked disk made it for a bio that is already an access */
	bool lower;
	/* true if the bio was remapped, so that it may complete on another disk only */
	bool handed;
};

struct flights;

struct event {
	u64 dev, ns, pid;
	char action;
	u8 op;
	/* the flags are "FN": a flush that the block layer issues for other requests */
	bool flush_request;
	bool packet; /* a pass-through command, such as of SCSI: it has @bytes but no sector */
	bool failed; /* set by actions C and R only */
	/* a flush has 0 sectors, and no first one */
	u64 sector, sectors;
	u64 bytes;
	u64 from_dev, from; /* action A (remap) only: device and sector that the bio had before */
	u64 split; /* action X (split) only: first sector of the second half, its lower 32 bits */
	const char *comm;
};

#define SECTOR 512
/* Values of the key for commands without a sector: a flush of the block layer, an empty bio that
 * requests a flush, a pass-through command. */
#define OWN_FLUSH (~0ULL)
#define EMPTY (~0ULL - 1)
#define PACKET (~0ULL - 2)

struct disk {
	u64 dev;
	/* true if an event of a request, a Q or a C of this disk was seen */
	bool has_requests, has_bios, has_ends;
	bool stacked;
	/* true if the trace already has the disk's name, so that @stacked can no longer change */
	bool named;
	char name[DEV_TEXT];
};

struct pairing {
	struct flights *flights;
	struct disk *disks;
	unsigned disks_n;
	u64 unmatched; /* completions (C) of requests that were never issued (D) */
	/* number of accesses that start at Q instead of D, because their disk has no requests */
	u64 unqueued;
	int layer;
};

/* Returns the first sector of @e, or the value that stands for a command without one. */
static inline u64 sector_of(const struct event *e)
{
	if (e->sectors)
		return e->sector;
	return e->packet ? PACKET : e->flush_request ? OWN_FLUSH : EMPTY;
}

#endif
