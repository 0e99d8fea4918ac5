/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures that the parts of the blkparse importer share. */
#ifndef IOSPAN_IMPORT_BLKPARSE_H
#define IOSPAN_IMPORT_BLKPARSE_H

#include "user/host/dev.h"
#include "tools/import/import.h"

#define COMM 16 /* bytes of a process name, with the NUL */

/* ---- bios and requests in flight ---- */

enum flight_kind {
	FLIGHT_BIO,	/* queued (Q), not yet in a request */
	FLIGHT_WAITING, /* a request inserted (I) or requeued (R) */
	FLIGHT_ISSUED,	/* a request issued (D) */
};

struct flight {
	u64 dev, sector;	/* the next sector to complete */
	u64 first;		/* first sector */
	u64 bytes, left;	/* in total, and not yet completed */
	u64 since_ns;		/* time of its Q, I or D; of a requeued one 0 */
	u64 queued_ns, held_ns; /* time inserted, and issued, before @since_ns */
	u64 pid;
	char comm[COMM];
	u32 next, same, last, older, younger; /* lists of flights.c */
	u8 kind, op;
	bool failed;
	bool made;   /* made by a split or remap; a Q with its key is not another bio */
	bool lower;  /* the stacked disk above has it as an access */
	bool handed; /* remapped to another disk; it may not complete on this one */
};

struct flights;

/* ---- events ---- */

struct event {
	u64 dev, ns, pid;
	char action; /* 'Q' */
	u8 op;
	bool flush_request;  /* FN: a flush by the block layer */
	bool packet;	     /* a command with @bytes and no sector */
	bool failed;	     /* C, R */
	u64 sector, sectors; /* a flush has 0 sectors and any sector */
	u64 bytes;
	u64 from_dev, from; /* A */
	u64 split;	    /* X: lower 32 bits of the second half's first sector */
	const char *comm;   /* in the line; NULL: none */
};

/* ---- pairing ---- */

#define SECTOR 512
/* Keys instead of a sector: a flush by the block layer, an empty bio that requests one, a packet
 * command. */
#define OWN_FLUSH (~0ULL)
#define EMPTY (~0ULL - 1)
#define PACKET (~0ULL - 2)

struct disk {
	u64 dev;
	bool has_requests, has_bios, has_ends; /* such an event was seen */
	bool stacked;
	bool named; /* written to the trace, where @stacked is final */
	char name[DEV_TEXT];
};

struct pairing {
	struct flights *flights;
	struct disk *disks;
	unsigned disks_n;
	u64 unmatched; /* completions without an issue event */
	u64 unqueued;  /* accesses from Q to C, on disks without requests */
	int layer;
};

/* The sector, or its replacement, in the key of a flight. */
static inline u64 sector_of(const struct event *e)
{
	if (e->sectors)
		return e->sector;
	return e->packet ? PACKET : e->flush_request ? OWN_FLUSH : EMPTY;
}

#endif
