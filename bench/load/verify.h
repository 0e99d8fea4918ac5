/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --verify: checks that reads return the data that were written. The generation of a write is its
 * number among the writes of its process. Each sector starts with a stamp, from which the rest of
 * the sector is computed. So a sector shows its offset, writer and generation, and whether it is
 * whole. A table in memory has the generation that each unit (the alignment of requests) must have.
 *
 * That generation is always known. A request waits while a write to its units is in flight, and
 * units that are written during a read of them are not checked. Each process has a part of the
 * target for itself, so it never waits for another process. */
#ifndef IOSPAN_LOAD_VERIFY_H
#define IOSPAN_LOAD_VERIFY_H

#include <stdbool.h>
#include "bench/load/load.h"

#define VERIFY_SECTOR 512 /* bytes that a disk writes atomically */
#define VERIFY_FIRST 10	  /* number of differences that are reported one by one */

struct verify_stamp {
	u64 offset; /* offset in the target, in bytes */
	/* number of the write among those of its process; 0: the fill before the load */
	u32 generation;
	u32 writer; /* number of the process that wrote the sector */
	u64 run;    /* random number that identifies the load */
	u64 sum;    /* checksum of the other fields */
};

enum verdict {
	VERDICT_LOST, /* the sector has an older generation than expected */
	VERDICT_TORN, /* the generation is old, but another sector of the same write is right */
	VERDICT_MISDIRECTED, /* the sector has the data of another offset or process */
	VERDICT_CORRUPT,     /* the stamp is invalid, or the rest does not match it */
	VERDICT_UNREADABLE,
	VERDICTS
};

struct finding {
	enum verdict verdict;
	bool at_end; /* found when reading back after the load; false: by a read of the load */
	u64 offset, bytes;
	u32 writer, generation;	   /* expected writer and generation */
	struct verify_stamp found; /* stamp on the disk; unset if corrupt or unreadable */
	/* number of wrong bytes in the first sector, if the verdict is corrupt */
	unsigned wrong_bytes;
	bool zeroes; /* the first sector has zeroes only, if the verdict is corrupt */
};

/* State of --verify, in memory that processes share. */
struct verify {
	u64 run, part_bytes, unit_bytes, writers, targets;
	u64 checked_bytes[2]; /* bytes checked: [0] by reads of the load, [1] after the load */
	/* bytes not checked because no generation is expected; indexed as .checked_bytes */
	u64 unchecked_bytes[2];
	u64 places[VERDICTS]; /* number of differences by verdict */
	u32 found;
	bool at_end;	  /* reading back after the load has started */
	bool cached, cut; /* cached: reading back used the page cache; cut: it was interrupted */
	struct finding first[VERIFY_FIRST];
	u64 rest[(VERIFY_SECTOR - sizeof(struct verify_stamp)) / sizeof(u64)];
	u32 *newest; /* [process]: generation of its last write */
	u32 *units;  /* [process][unit]: expected generation, UNIT_WRITTEN or UNIT_UNKNOWN */
#define UNIT_WRITTEN 0xffffffffu /* a write to the unit is in flight */
/* a write to the unit failed, or a difference in it was reported */
#define UNIT_UNKNOWN 0xfffffffeu
};

/* Makes the state of --verify for a load on @targets targets. The alignment in @spec must be a
 * multiple of VERIFY_SECTOR. Returns NULL on failure; prints the error. */
struct verify *verify_new(const struct load_spec *spec, unsigned targets);
/* Frees the state of --verify. Does nothing if @v is NULL. */
void verify_free(struct verify *v);

/* Writes to @data the bytes that target number @target has at @offset before the load. */
void verify_fill(const struct verify *v, u64 target, u64 offset, void *data, u64 bytes);

/* Used instead of stream_next(): draws the request @r, and stamps the data of a write. Returns
 * false and draws nothing if the request must wait for a write in flight. */
bool verify_next(struct worker *w, struct request *r);
/* Call this when @r has ended. Checks the data of a read; stores the generation of a write. */
void verify_end(struct worker *w, const struct request *r);

/* Returns the number of differences found. */
u64 verify_places(const struct verify *v);

/* ---- functions for verify-read.c ---- */

/* Checks @data, @bytes of whole units that were read at @offset. Skips units that process @writer
 * has written after generation @newest. */
void verify_check(struct verify *v, u64 writer, u64 offset, const void *data, u64 bytes,
		  u32 newest);
void verify_unreadable(struct verify *v, u64 writer, u64 offset, u64 bytes);

#endif
