/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --verify: checks that reads return the data that were written.
 *
 * Each write has a generation: its number among the writes of its process. Each sector starts with
 * a stamp, from which its other bytes are computed. So the data show their offset, process and
 * generation, and whether they are whole. A unit is a piece of the target; each request consists of
 * whole units. A table in memory has, for each unit, the generation that its data must have.
 *
 * Each writer has a part of the target. bench load has a writer for each process. A request waits
 * while a write to its units is in flight, so processes never wait for each other. bench replay has
 * one writer, which is all processes together, and no request waits. If two writes to a unit
 * overlap in time, the unit is not checked until it is written again. Units that are written during
 * a read are not checked by this read. Nor is any unit of a read that starts while a write to one
 * of its units is in flight. */
#ifndef IOSPAN_LOAD_VERIFY_H
#define IOSPAN_LOAD_VERIFY_H

#include <stdbool.h>
#include "bench/load/load.h"

#define VERIFY_SECTOR 512 /* bytes that a disk writes atomically */
/* differences beyond this number are only counted, not reported one by one */
#define VERIFY_FIRST 10

struct verify_stamp {
	u64 offset; /* offset in the target at which the sector belongs, in bytes */
	/* number of the write among the writes of its process; 0: the fill before the load */
	u32 generation;
	u32 writer; /* number of the process that wrote the sector */
	u64 run;    /* random number of this load, so that data of earlier loads are recognized */
	u64 sum;
};

enum verdict {
	VERDICT_LOST, /* the sector has data of an earlier write */
	/* the sector has data of an earlier write, but other sectors of the newest write are on the
	 * disk */
	VERDICT_TORN,
	VERDICT_MISDIRECTED, /* the sector has data that belong to another offset or process */
	VERDICT_CORRUPT,     /* the stamp is invalid, or the other bytes do not match it */
	VERDICT_UNREADABLE,
	VERDICTS
};

struct finding {
	enum verdict verdict;
	/* true: found by reading all data back after the load; false: found by a read of the
	 * load */
	bool at_end;
	u64 offset, bytes;
	u32 writer, generation; /* process and generation that the data should have */
	bool unknown;		/* true: .generation is not known */
	/* stamp that was read; unset if the sector is corrupt or unreadable */
	struct verify_stamp found;
	/* for VERDICT_CORRUPT: how many bytes of the first sector of the difference are wrong */
	unsigned wrong_bytes;
	bool zeroes; /* for VERDICT_CORRUPT: the first sector contains only zeroes */
};

/* The state of --verify, in memory that all processes of the load share. */
struct verify {
	u64 run, part_bytes, unit_bytes, writers, targets;
	bool shared; /* true: all processes together are writer 0 */
	/* number of bytes checked: [0] in reads of the load, [1] in reads after the load */
	u64 checked_bytes[2];
	/* number of bytes that could not be checked, with the same indexes */
	u64 unchecked_bytes[2];
	u64 places[VERDICTS]; /* number of differences with each verdict */
	u32 found;
	bool at_end; /* true: the load is over, and iospan reads the data back */
	/* .cached: the page cache was used. .cut: not all data was read back. */
	bool cached, cut;
	struct finding first[VERIFY_FIRST];
	u64 rest[(VERIFY_SECTOR - sizeof(struct verify_stamp)) / sizeof(u64)];
	u64 *newest; /* for each writer: generation of its last write */
	/* State of each unit of each writer. Bits 0..31: generation. Bits 32..62: number of writes
	 * in flight. Bit 63: UNIT_UNKNOWN. */
	u64 *units;
#define UNIT_WRITING (1ULL << 32) /* one write in flight, in an element of .units */
/* Set if a write to the unit failed, if two writes overlapped, or if a difference was reported.
 * Then the unit is not checked until the next write. */
#define UNIT_UNKNOWN (1ULL << 63)
};

/* Makes the state of --verify for @writers writers on @targets targets. The part of each writer is
 * @part_bytes long. Offsets and sizes of all requests must be multiples of @unit_bytes, a multiple
 * of VERIFY_SECTOR. Returns NULL on failure; prints the error. */
struct verify *verify_new(u64 part_bytes, u64 unit_bytes, u64 writers, unsigned targets);
void verify_free(struct verify *v);

/* Fills @data with the bytes that target number @target contains at @offset before the load. */
void verify_fill(const struct verify *v, u64 target, u64 offset, void *data, u64 bytes);

/* With --verify, a worker calls this instead of stream_next(). Chooses the request @r at random,
 * then calls verify_begin(). If verify_begin() returns false, returns false; the next call then
 * chooses the same request. */
bool verify_next(struct worker *w, struct request *r);
/* Prepares the request @r, and for a write makes its data. Returns false if a write in flight must
 * end first. */
bool verify_begin(struct verify *v, u64 writer, struct request *r);
/* Handles the end of request @r: checks the data of a read, or stores the generation of a write. */
void verify_end(struct verify *v, u64 writer, const struct request *r);

u64 verify_places(const struct verify *v);

/* Checks the units that lie completely in the @bytes bytes at @data, which were read from offset
 * @offset. @newest is the last generation of process @writer before the read. Units with a newer
 * generation are skipped, because the process wrote them during the read. */
void verify_check(struct verify *v, u64 writer, u64 offset, const void *data, u64 bytes,
		  u32 newest);
void verify_unreadable(struct verify *v, u64 writer, u64 offset, u64 bytes);

#endif
