/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs accesses into the payload of an ACCESSES chunk, and unpacks them. The accesses are stored
 * by column: all ends, all durations and so on. From each column come numbers x, which enum
 * column_id defines. A column stores them as
 *
 * 	x[i] = base + (v[i] << shift)
 *
 * The numbers v are stored by planes: plane k has byte k of each v. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include "user/trace/trace.h"

/* The bytes of a column: a head, the length of each plane as u32, and the planes. The head has: u8
 * id, u8 number of planes, u8 shift, u8 0, u32 number of bytes after the head, u64 base, u64 from.
 * If the length of a plane is 1, all its bytes are equal to that byte. If the length is the number
 * of accesses, the plane is not compressed. Any other plane is a zstd frame. */
#define COLUMN_HEAD 24

enum column_id {
	COLUMN_END = 1,	 /* end minus end of the access before; for the first access, end - from */
	COLUMN_DURATION, /* end minus start */
	COLUMN_BYTES,
	COLUMN_STREAM,
	COLUMN_FLAGS,
	COLUMN_OFFSET, /* offset minus expected offset, see OFFSET_PLACES */
	COLUMN_QUEUED,
	COLUMN_HELD,
	COLUMNS,
};
/* The expected offset of an access is where the previous access of its stream ended. These offsets
 * are kept in OFFSET_PLACES places. Streams with the same number modulo OFFSET_PLACES share a
 * place. All places start with the field "from" of the column's head. */
#define OFFSET_PLACES 4096

/* largest size in bytes of n packed accesses */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* buffers and zstd contexts for packing and unpacking */
struct packer *packer_new(void);
void packer_room(struct packer *p, u32 n); /* allocates the buffers for up to @n accesses */
void packer_free(struct packer *p);

/* Packs @n bytes with zstd. Returns the packed length. Returns 0 if that would not be smaller than
 * @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Unpacks a zstd frame of @size bytes to @n bytes. Returns false if the frame is damaged or does
 * not unpack to @n bytes. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* Packs all columns of @b to @to, which has room for PACKED_MAX(b->n) bytes. @b must not be empty.
 * Returns the packed length. Sets *@raw to the length of all planes before compression. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* Unpacks b->n accesses to those columns of @b that are not NULL. Returns -EBADMSG if @from is
 * damaged or lacks a column. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
