/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From blkparse's events to accesses: for import-blkparse.c and its parts alone. */
#ifndef IOSPAN_IMPORT_BLKPARSE_H
#define IOSPAN_IMPORT_BLKPARSE_H

#include "user/host/dev.h"
#include "tools/import/import.h"

#define COMM 16 /* of a process, with its end */

/* ---- what is on its way ---- */

enum flight_kind {
	FLIGHT_BIO,	/* queued (Q), no request yet */
	FLIGHT_WAITING, /* a request in the scheduler (I), or put back (R) */
	FLIGHT_ISSUED,	/* D */
};

struct flight {
	u64 dev, sector;	/* the next sector to complete */
	u64 first;		/* sector, where it began */
	u64 bytes, left;	/* all, and not yet completed */
	u64 since_ns;		/* Q, I or D: as its kind says; waiting: 0 is put back */
	u64 queued_ns, held_ns; /* before that */
	u64 pid;
	char comm[COMM];
	u32 next, same, last; /* flights.c */
	u32 older, younger;
	u8 kind, op;
	bool failed;
	bool made;   /* by a split or remap: a Q of the same is this one */
	bool lower;  /* of a disk below one that has it, too */
	bool handed; /* on to another disk: it may not end here */
};

/* Bounded: beyond FLIGHTS of them, 40 MB, the oldest is given up. Of those with one key,
 * (kind, dev, sector), the oldest is found. */
#define FLIGHTS (1U << 18)
struct flights;

/* ---- one line ---- */

struct event {
	u64 dev, ns, pid;
	char action; /* 'Q' */
	u8 op;
	bool flush_request;  /* FN: the block layer's own flush */
	bool packet;	     /* a command with @bytes and no sector */
	bool failed;	     /* C, R */
	u64 sector, sectors; /* 0 sectors: a flush, whatever the sector */
	u64 bytes;
	u64 from_dev, from; /* A */
	u64 split;	    /* X: the second's first sector, its lower 32 bits */
	const char *comm;   /* in the line; NULL: has none */
};

/* ---- pairing ---- */

#define SECTOR 512
/* Instead of a sector, where D names none: the block layer's own flush, the empty bio that
 * asks for one, a packet command. */
#define OWN_FLUSH (~0ULL)
#define EMPTY (~0ULL - 1)
#define PACKET (~0ULL - 2)

struct disk {
	u64 dev;
	bool has_requests; /* of which we saw any */
	bool has_bios, has_ends;
	bool stacked; /* has disks below it */
	bool named;   /* in the trace, and whether it is stacked with it */
	char name[DEV_TEXT];
};

struct pairing {
	struct flights *flights;
	struct disk *disks;
	unsigned disks_n;
	u64 unmatched; /* completions of what was not seen to begin */
	u64 unqueued;  /* accesses from Q, as their disk has no D */
	int layer;
};

/* ---- for the parts of it ---- */

/* What stands for its place in the keys of flights. */
static inline u64 sector_of(const struct event *e)
{
	if (e->sectors)
		return e->sector;
	return e->packet ? PACKET : e->flush_request ? OWN_FLUSH : EMPTY;
}

#endif
