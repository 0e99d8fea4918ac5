/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --verify: checks that reads return what was written. Each sector starts with a stamp from which
 * the rest of the sector is computed. So a sector shows its offset, writer and generation, and
 * whether it is whole. The expected generation of each unit (of the alignment) is kept in memory.
 *
 * The expected generation is always defined: a request waits while a write to its units is in
 * flight, and units that are written during a read of them are not checked. Each process has its
 * own part of the data, so it never waits for another one. */
#ifndef IOSPAN_LOAD_VERIFY_H
#define IOSPAN_LOAD_VERIFY_H

#include <stdbool.h>
#include "bench/load/load.h"

#define VERIFY_SECTOR 512 /* bytes that a disk writes atomically */
#define VERIFY_FIRST 10	  /* findings that are reported one by one */

struct verify_stamp {
	u64 offset;	/* in the target */
	u32 generation; /* counts the writes of a process; 0: the fill before the load */
	u32 writer;	/* number of the process */
	u64 run;	/* random number of the load */
	u64 sum;	/* checksum of the other fields */
};

enum verdict {
	VERDICT_LOST,	     /* has an older generation */
	VERDICT_TORN,	     /* lost, while another sector of the same request is right */
	VERDICT_MISDIRECTED, /* has the data of another offset or process */
	VERDICT_CORRUPT,     /* has no valid stamp or rest */
	VERDICT_UNREADABLE,
	VERDICTS
};

struct finding {
	enum verdict verdict;
	bool at_end; /* found after the load; else by a read of the load */
	u64 offset, bytes;
	u32 writer, generation;	   /* expected */
	struct verify_stamp found; /* unless corrupt or unreadable */
	unsigned wrong_bytes;	   /* wrong bytes in the first sector, if corrupt */
	bool zeroes;		   /* the first sector has zeroes only, if corrupt */
};

/* In memory shared between processes. */
struct verify {
	u64 run, part_bytes, unit_bytes, writers, targets;
	u64 checked_bytes[2];	/* bytes checked by reads of the load; after the load */
	u64 unchecked_bytes[2]; /* without a defined generation */
	u64 places[VERDICTS];	/* differences by verdict */
	u32 found;
	bool at_end;	  /* reading back has started */
	bool cached, cut; /* reading back: used the page cache; was interrupted */
	struct finding first[VERIFY_FIRST];
	u64 rest[(VERIFY_SECTOR - sizeof(struct verify_stamp)) / sizeof(u64)];
	u32 *newest;		 /* [writer]: generation of its last write */
	u32 *units;		 /* [writer][unit]: generation, UNIT_WRITTEN or UNIT_UNKNOWN */
#define UNIT_WRITTEN 0xffffffffu /* a write is in flight */
#define UNIT_UNKNOWN 0xfffffffeu /* a write failed, or a difference was reported */
};

/* The alignment of @spec is a multiple of VERIFY_SECTOR. Returns NULL on failure; prints the
 * error. */
struct verify *verify_new(const struct load_spec *spec, unsigned targets);
void verify_free(struct verify *v); /* NULL is ignored */

/* Writes to @data the initial content of @target at @offset. */
void verify_fill(const struct verify *v, u64 target, u64 offset, void *data, u64 bytes);

/* Replaces stream_next(): draws @r, and stamps the data of a write. Returns false and draws nothing
 * if the request must wait for a write in flight. */
bool verify_next(struct worker *w, struct request *r);
/* Call it when @r has ended. Checks a read; updates the generations of a write. */
void verify_end(struct worker *w, const struct request *r);

/* Returns the number of differences. */
u64 verify_places(const struct verify *v);

/* ---- for verify-read.c ---- */

/* Checks @bytes of whole units at @offset. Skips units that were written after generation
 * @newest. */
void verify_check(struct verify *v, u64 writer, u64 offset, const void *data, u64 bytes,
		  u32 newest);
void verify_unreadable(struct verify *v, u64 writer, u64 offset, u64 bytes);

#endif
