/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs accesses to the payload of an ACCESSES chunk, and unpacks it. Each column stores numbers
 *
 *	x[i] = base + (v[i] << shift)
 *
 * as planes: plane k has byte k of all v. enum column_id defines x. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include "user/trace/trace.h"

/* A column: head, u32 length of each plane, planes. The head: u8 id, u8 planes, u8 shift, u8 0, u32
 * bytes after the head, u64 base, u64 from. A plane of length 1 repeats that byte, a plane of
 * length n is not packed, any other is a zstd frame. */
#define COLUMN_HEAD 24

enum column_id {
	COLUMN_END = 1,	 /* end - end of the access before; of the first: end - from */
	COLUMN_DURATION, /* end - start */
	COLUMN_BYTES,
	COLUMN_STREAM,
	COLUMN_FLAGS,
	COLUMN_OFFSET, /* offset - expected offset, see below */
	COLUMN_QUEUED,
	COLUMN_HELD,
	COLUMNS,
};
/* An access is expected to start at the end of the previous access of its stream. Streams with the
 * same number modulo OFFSET_PLACES share that end. The first access is expected at "from". */
#define OFFSET_PLACES 4096

/* Most bytes of n packed accesses. */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* buffers and zstd contexts for packing and unpacking */
struct packer *packer_new(void);
void packer_room(struct packer *p, u32 n); /* allocates for up to n accesses */
void packer_free(struct packer *p);

/* Packs @n bytes with zstd. Returns the packed length, or 0 if it is not below @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Unpacks to @n bytes. Returns false if the frame is damaged or has another length. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* Packs all columns of @b, n > 0 accesses, to @to, which has PACKED_MAX(n) bytes. Returns the
 * packed length; *@raw is the length of all planes before packing. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* Unpacks @b->n accesses to the columns of @b that are not NULL. -EBADMSG: @from is damaged or
 * lacks a column. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
