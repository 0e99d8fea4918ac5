/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is what is read what was written? Each sector that such a load writes begins with a
 * stamp, from which the rest of it follows: any sector tells where it belongs, who wrote it
 * when, and whether it is whole. A generation for each unit (the alignment) says what
 * should be there.
 *
 * The newest generation is always defined: a request waits while somebody writes where it
 * goes, and what is written while it is being read is not judged then. A process has its
 * part of the data to itself, so that all this is its own affair. */
#ifndef IOSPAN_VERIFY_H
#define IOSPAN_VERIFY_H

#include <stdbool.h>
#include "bench/load/load.h"

#define VERIFY_SECTOR 512 /* what no disk tears */
#define VERIFY_FIRST 10	  /* findings that are told one by one */

struct verify_stamp {
	u64 offset;	/* in the target */
	u32 generation; /* which write of its process; 0: the fill before the load */
	u32 writer;	/* number of the process */
	u64 run;	/* which load */
	u64 sum;	/* over all that */
};

enum verdict {
	VERDICT_LOST,	     /* an older generation is there */
	VERDICT_TORN,	     /* in a part of a request only */
	VERDICT_MISDIRECTED, /* what belongs elsewhere is there */
	VERDICT_CORRUPT,     /* what nobody wrote */
	VERDICT_UNREADABLE,
	VERDICTS
};

struct finding {
	enum verdict verdict;
	bool at_end; /* when all was read back; else by a read of the load */
	u64 offset, bytes;
	u32 writer, generation;	   /* that should be there */
	struct verify_stamp found; /* unless corrupt or unreadable */
	unsigned wrong_bytes;	   /* of the first sector, if corrupt */
	bool zeroes;		   /* and that has nothing else */
};

/* Lives in memory that processes share. */
struct verify {
	u64 run, part_bytes, unit_bytes, writers, targets;
	u64 checked_bytes[2];	/* by reads of the load, at the end */
	u64 unchecked_bytes[2]; /* as nobody can know what should be there */
	u64 places[VERDICTS];
	u32 found;
	bool at_end;	  /* it is being read back, or has been */
	bool cached, cut; /* from the page cache, for want of a way; interrupted */
	struct finding first[VERIFY_FIRST];
	u64 rest[(VERIFY_SECTOR - sizeof(struct verify_stamp)) / sizeof(u64)];
	u32 *newest;		 /* by writer: generation of its last write */
	u32 *units;		 /* by writer and unit: generation, or one of: */
#define UNIT_WRITTEN 0xffffffffu /* a write is in flight */
#define UNIT_UNKNOWN 0xfffffffeu /* a write failed, or a difference has been told */
};

/* For a load on so many targets, its alignment a multiple of VERIFY_SECTOR. NULL after an
 * error was printed. */
struct verify *verify_new(const struct load_spec *spec, unsigned targets);
void verify_free(struct verify *v); /* NULL is fine */

/* What is at @offset of a target before the load. */
void verify_fill(const struct verify *v, u64 target, u64 offset, void *data, u64 bytes);

/* In place of stream_next(): draws @r, and stamps what it writes. False, and nothing was
 * drawn, while it has to wait for a write in flight. */
bool verify_next(struct worker *w, struct request *r);
/* It has ended. */
void verify_end(struct worker *w, const struct request *r);

/* How many places differ. */
u64 verify_places(const struct verify *v);

/* ---- between the files of it ---- */

/* Checks @bytes at @offset, in whole units; those written after @newest are passed over. */
void verify_check(struct verify *v, u64 writer, u64 offset, const void *data, u64 bytes,
		  u32 newest);
void verify_unreadable(struct verify *v, u64 writer, u64 offset, u64 bytes);

#endif
