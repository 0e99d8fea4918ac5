/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs accesses into the payload of an ACCESSES chunk, column by column. A chunk is the unit in
 * which a trace is written: a head and a payload. A column is one field of all accesses of the
 * chunk. Each number x of a column (enum column_id) is stored as a number v:
 *
 *   x[i] = base + (v[i] << shift)
 *
 * base and shift are the same for the whole column. The bytes of v are stored in planes: plane k
 * has byte k of each v. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include <stddef.h>

#include "user/trace/trace.h"

/* Size in bytes of the head of a column. The head has these fields:
 *
 *   u8 id (enum column_id), u8 number of planes, u8 shift, u8 0 (unused)
 *   u32 number of bytes after the head
 *   u64 base
 *   u64 from: in a column of differences, the value before the first access
 *
 * After the head come the lengths of the planes (u32 each), then the planes. In a chunk of n
 * accesses, a plane of length n is not compressed. A plane of length 1 is one byte that stands for
 * n equal bytes. Any other plane is a zstd frame. */
#define COLUMN_HEAD 24

enum column_id {
	/* End of the access minus end of the previous access. For the first access: end of the
	 * access minus "from" in the head of the column. */
	COLUMN_END = 1,
	COLUMN_DURATION, /* end minus start of the access */
	COLUMN_BYTES,
	COLUMN_STREAM,
	COLUMN_FLAGS,
	/* offset of the access minus its expected offset, see OFFSET_PLACES */
	COLUMN_OFFSET,
	COLUMN_QUEUED,
	COLUMN_HELD,
	COLUMNS,
};
/* Size of the table of expected offsets. Each stream (the accesses with the same file, process and
 * so on) has an element. Its index is the stream number modulo this size. The element is the offset
 * at which the previous access of the stream ended. COLUMN_OFFSET stores the offset of an access
 * minus this element. For sequential accesses this difference is 0, which compresses well. At the
 * start of a chunk, all elements have the value "from" in the head of COLUMN_OFFSET. */
#define OFFSET_PLACES 4096

/* largest size in bytes of the packed payload of n accesses */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* buffers and zstd contexts for packing and unpacking */
struct packer *packer_new(void);
/* Makes the buffers large enough for @n accesses. Call it before columns_pack() and
 * columns_unpack(). */
void packer_room(struct packer *p, u32 n);
void packer_free(struct packer *p);

/* Compresses @n bytes with zstd. Returns the compressed length, or 0 if the result would not be
 * smaller than @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Decompresses a zstd frame to @to. Returns false if the frame is damaged or its content does not
 * have exactly @n bytes. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* Packs the accesses @b to @to, which has room for PACKED_MAX(b->n) bytes. Returns the packed
 * length. Sets *@raw to the length before compression. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* Unpacks b->n accesses from the payload @from into the columns of @b. Skips columns of @b that are
 * NULL. Returns 0, or -EBADMSG if the payload is damaged or a column is missing. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
