/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs accesses into the payload of an ACCESSES chunk, column by column. The numbers x of a column
 * (enum column_id) are stored as
 *
 *   x[i] = base + (v[i] << shift)
 *
 * Plane k has byte k of each v. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include <stddef.h>

#include "user/trace/trace.h"

/* The head of a column: u8 id, u8 number of planes, u8 shift, u8 0, u32 bytes after the head, u64
 * base, u64 from. Lengths of planes (u32) and planes follow. n is the number of accesses. A plane
 * of length n is not compressed. A plane of length 1 is one byte that stands for n equal bytes. Any
 * other plane is a zstd frame. */
#define COLUMN_HEAD 24

enum column_id {
	/* end of the access minus end of the previous access; the first is relative to "from" in
	 * the head */
	COLUMN_END = 1,
	COLUMN_DURATION, /* end minus start of the access */
	COLUMN_BYTES,
	COLUMN_STREAM,
	COLUMN_FLAGS,
	COLUMN_OFFSET, /* offset of the access minus expected offset, see OFFSET_PLACES */
	COLUMN_QUEUED,
	COLUMN_HELD,
	COLUMNS,
};
/* Size of the table of expected offsets, which is indexed by stream number modulo this size. An
 * access is expected where the last access of its stream ended, so sequential accesses pack to
 * zeros. All elements start with "from" of the column's head. */
#define OFFSET_PLACES 4096

/* largest size in bytes of the packed payload of n accesses */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* buffers and zstd contexts for packing and unpacking */
struct packer *packer_new(void);
/* Makes the buffers large enough for @n accesses. Call it before columns_pack() and
 * columns_unpack(). */
void packer_room(struct packer *p, u32 n);
void packer_free(struct packer *p);

/* Compresses @n bytes with zstd. Returns the compressed length, or 0 if it would not be smaller
 * than @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Decompresses a zstd frame to @to. Returns false if the frame is damaged or does not have exactly
 * @n bytes. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* Packs the accesses @b to @to, which has room for PACKED_MAX(b->n) bytes. Returns the packed
 * length. Sets *@raw to the length before compression. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* Unpacks b->n accesses from the payload @from into the columns of @b. Skips columns of @b that are
 * NULL. Returns -EBADMSG if the payload is damaged or a column is missing. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
