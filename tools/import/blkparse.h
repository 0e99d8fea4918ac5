/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures that the files of the blkparse importer share. Capital letters in quotes or
 * parentheses are blktrace's actions. */
#ifndef IOSPAN_IMPORT_BLKPARSE_H
#define IOSPAN_IMPORT_BLKPARSE_H

#include "user/host/dev.h"
#include "tools/import/import.h"

#define COMM 16 /* length of a process name in bytes, with the NUL */

/* ---- bios and requests in flight ---- */

enum flight_kind {
	FLIGHT_BIO,	/* a bio that was queued (Q) and is not yet in a request */
	FLIGHT_WAITING, /* a request that was inserted (I) or requeued (R) */
	FLIGHT_ISSUED,	/* a request that was issued (D) */
};

struct flight {
	u64 dev, sector; /* the key, with @kind; @sector is the next one to complete */
	u64 first;	 /* first sector of the bio or request */
	u64 bytes, left; /* bytes in total, and bytes that are not completed yet */
	/* time of its Q, I or D; 0 if the request was requeued and not inserted again */
	u64 since_ns;
	/* time in the scheduler, and time at the driver, before @since_ns */
	u64 queued_ns, held_ns;
	u64 pid;
	char comm[COMM];
	u32 next, same, last, older, younger; /* indices for the lists in flights.c */
	u8 kind, op;
	bool failed;
	/* true if a split or remap made the bio; a Q with the same key then belongs to this bio */
	bool made;
	bool lower;  /* true if the stacked disk above counts this bio as its access */
	bool handed; /* true if remapped to another disk, so that it may not complete on this one */
};

struct flights;

/* ---- events ---- */

struct event {
	u64 dev, ns, pid;
	char action; /* blktrace's action, such as 'Q' */
	u8 op;
	bool flush_request;  /* true for FN: the block layer itself issued the flush */
	bool packet;	     /* true for a pass-through command, which has @bytes and no sector */
	bool failed;	     /* only for actions C and R */
	u64 sector, sectors; /* a flush has 0 sectors; its sector means nothing */
	u64 bytes;
	u64 from_dev, from; /* only for action A: device and sector before the remap */
	u64 split;	    /* only for action X: lower 32 bits of the second half's first sector */
	const char *comm;   /* points into the line; NULL if the event has no process name */
};

/* ---- pairing ---- */

#define SECTOR 512
/* Values that replace the sector in a key: for a flush that the block layer issued, for an empty
 * bio that requests a flush, and for a pass-through command. */
#define OWN_FLUSH (~0ULL)
#define EMPTY (~0ULL - 1)
#define PACKET (~0ULL - 2)

struct disk {
	u64 dev;
	/* true if a request event, a Q or a C of this disk was seen */
	bool has_requests, has_bios, has_ends;
	bool stacked;
	/* true if the disk was written to the trace, so that @stacked can no longer change */
	bool named;
	char name[DEV_TEXT];
};

struct pairing {
	struct flights *flights;
	struct disk *disks;
	unsigned disks_n;
	u64 unmatched; /* number of completions without an issue event */
	/* number of accesses measured from Q to C, because their disk has no requests */
	u64 unqueued;
	int layer;
};

/* Returns the sector of @e for the key of a flight, or the value that replaces it. */
static inline u64 sector_of(const struct event *e)
{
	if (e->sectors)
		return e->sector;
	return e->packet ? PACKET : e->flush_request ? OWN_FLUSH : EMPTY;
}

#endif
