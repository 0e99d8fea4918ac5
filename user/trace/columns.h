/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses as the payload of a chunk, and back. A column is
 *
 *	x[i] = base + (v[i] << shift)
 *
 * with the bytes k of all v, a plane, packed together. What x is tells the column. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include "user/trace/trace.h"

#define COLUMN_HEAD 24
/* A column: u8 id, u8 planes, u8 shift, u8 0, u32 bytes of all that follows its head,
 * u64 base, u64 from; u32 length of each plane; planes. A plane of length 1 is that byte
 * over and over, of length n is as it is, else is a zstd frame. */
enum column_id {
	COLUMN_END = 1,	 /* less the end before; the first: less from */
	COLUMN_DURATION, /* end - start */
	COLUMN_BYTES,
	COLUMN_STREAM,
	COLUMN_FLAGS,
	COLUMN_OFFSET, /* less where the one before in its place ended, see below */
	COLUMN_QUEUED,
	COLUMN_HELD,
	COLUMNS,
};
/* Streams share places where offsets are expected; each expects from at first. */
#define OFFSET_PLACES 4096

/* The most that n accesses take. */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* memory for both ways */
struct packer *packer_new(void);
void packer_room(struct packer *p, u32 n); /* of n accesses, at most, from now on */
void packer_free(struct packer *p);

/* Bytes as they are: the length of what is in @to now; 0: that would not be below @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Whether they are @n again. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* @b has all columns; the length of what is in @to now, of PACKED_MAX(n) bytes. @raw:
 * its planes before they were packed. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* @b->n accesses; fills those columns of @b that are not NULL. -EBADMSG: it was
 * never packed so. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
