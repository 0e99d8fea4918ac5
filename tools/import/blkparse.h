/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures that the files of the blkparse importer share. Capital letters in quotes or
 * parentheses are actions of blktrace, such as Q for "queued". A flight is a bio or request in
 * flight: an event started it, and no event completed it yet. */
#ifndef IOSPAN_IMPORT_BLKPARSE_H
#define IOSPAN_IMPORT_BLKPARSE_H

#include "user/host/dev.h"
#include "tools/import/import.h"

#define COMM 16 /* size of a process name in bytes, with the NUL */

/* ---- flights are bios and requests in flight ---- */

enum flight_kind {
	FLIGHT_BIO,	/* a bio that was queued (Q) and has no request yet */
	FLIGHT_WAITING, /* a request in the scheduler: it was inserted (I) or requeued (R) */
	FLIGHT_ISSUED,	/* a request at the driver: it was issued (D) */
};

struct flight {
	/* .dev, .sector and .kind are the key by which an event finds the flight. .sector is the
	 * first sector that is not completed yet. */
	u64 dev, sector;
	u64 first; /* first sector of the whole bio or request */
	/* .bytes: size of the whole bio or request. .left: number of bytes not completed yet. */
	u64 bytes, left;
	/* time in ns of the last Q, I or D; 0 after a requeue, until the request is inserted
	 * again */
	u64 since_ns;
	/* .queued_ns: sum of the times in the scheduler (I to D). .held_ns: sum of the times at the
	 * driver that ended with a requeue (D to R). */
	u64 queued_ns, held_ns;
	u64 pid;
	char comm[COMM];
	/* Indices of other flights (see flights.c); 0: none. .next: next in the hash bucket. .same:
	 * next with the same key. .last: last with the same key, valid only in the first flight
	 * with this key. .older and .younger: neighbours by age. */
	u32 next, same, last, older, younger;
	u8 kind, op;
	bool failed;
	/* true: the importer added this bio at a split (X) or remap (A). If a Q for the same bio
	 * follows, it adds no second bio. */
	bool made;
	/* true: a stacked disk issued this bio for a bio that it received; only the received bio is
	 * counted as an access */
	bool lower;
	/* true: the bio was remapped to another disk; blktrace may report its completion (C) only
	 * for that disk */
	bool handed;
};

struct flights;

struct event {
	u64 dev, ns, pid;
	char action;
	u8 op;
	/* true: a flush that the block layer issues for other requests (the flags are "FN") */
	bool flush_request;
	/* true: a pass-through command, for instance of SCSI; it has .bytes but no sector */
	bool packet;
	bool failed; /* set by actions C and R only */
	/* first sector and number of sectors; a flush has 0 sectors */
	u64 sector, sectors;
	u64 bytes;
	u64 from_dev, from; /* action A (remap) only: device and sector that the bio had before */
	u64 split; /* action X (split) only: lower 32 bits of the first sector of the second half */
	const char *comm;
};

#define SECTOR 512
/* Values of flight.sector for flights without sectors. OWN_FLUSH: a flush that the block layer
 * issues itself. EMPTY: an empty bio that requests a flush. PACKET: a pass-through command. */
#define OWN_FLUSH (~0ULL)
#define EMPTY (~0ULL - 1)
#define PACKET (~0ULL - 2)

struct disk {
	u64 dev;
	/* Events of the disk in the input so far. .has_requests: an event of a request (G, I or D).
	 * .has_bios: a Q. .has_ends: a C. */
	bool has_requests, has_bios, has_ends;
	bool stacked;
	/* true if the trace already has the disk's name and .stacked, so .stacked must stay as it
	 * is */
	bool named;
	char name[DEV_TEXT];
};

struct pairing {
	struct flights *flights;
	struct disk *disks;
	unsigned disks_n;
	u64 unmatched; /* completions (C) and requeues (R) without a matching D or Q */
	/* number of accesses that are measured from Q to C, because their disk has no requests:
	 * without a request, there is no D */
	u64 unqueued;
	int layer;
};

/* Returns flight.sector of the flight that event @e belongs to. This is the first sector of the
 * event. For a command without sectors, it is the constant for this kind of command. */
static inline u64 sector_of(const struct event *e)
{
	if (e->sectors)
		return e->sector;
	return e->packet ? PACKET : e->flush_request ? OWN_FLUSH : EMPTY;
}

#define FLIGHTS (1U << 18) /* maximum number of flights; each takes 120 bytes of memory */

struct flights *flights_new(void);
void flights_free(struct flights *t); /* does nothing if @t is NULL */

/* Returns the oldest flight with this key, or NULL. flight_move() and flight_remove() accept only a
 * flight that this function returned. */
struct flight *flight_find(struct flights *t, u8 kind, u64 dev, u64 sector);

/* Adds a flight with this key. Pointers to flights become invalid, because all flights may move in
 * memory. If there are FLIGHTS flights already, removes the oldest one; flights_given_up() counts
 * it. */
struct flight *flight_add(struct flights *t, u8 kind, u64 dev, u64 sector);
void flight_remove(struct flights *t, struct flight *f);
/* Changes the key of @f, and makes @f the youngest flight. */
void flight_move(struct flights *t, struct flight *f, u8 kind, u64 dev, u64 sector);

/* flights_given_up() returns the number of flights that flight_add() removed to make room.
 * flights_left() returns the number of flights of @kind that did not complete. Both leave out bios
 * that were remapped to another disk (.handed), because they complete there. */
u64 flights_given_up(const struct flights *t);
u64 flights_left(const struct flights *t, u8 kind);

void pairing_release(struct pairing *p);

/* Handles event @e. The caller passes all events in the order of time. Returns 0 or -errno; prints
 * the error. */
int pairing_take(struct import *im, struct pairing *p, const struct event *e);

/* Parses the line @text into @e. Changes @text; e->comm points into @text. Sets *@skip to true if
 * the importer does not need this kind of event. Returns NULL, or a text that describes the fault
 * of the line. */
const char *event_parse(char *text, struct event *e, bool *skip);

/* Sets *@ns to the time of the line @text. If the line has no time, leaves *@ns unchanged. */
void event_time(char *text, u64 *ns);

#endif
