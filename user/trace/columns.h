/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs accesses into the payload of an ACCESSES chunk of a trace, and unpacks them. An access is a
 * record of times, bytes, offset and so on. The payload is stored by column: first all ends, then
 * all durations and so on. enum column_id defines the numbers x of each column. A column stores
 * them as
 *
 *	x[i] = base + (v[i] << shift)
 *
 * The numbers v are stored by planes: plane k has byte k of each v. */
#ifndef IOSPAN_TRACE_COLUMNS_H
#define IOSPAN_TRACE_COLUMNS_H

#include "user/trace/trace.h"

/* Size in bytes of a column's head, which is followed by the length of each plane as u32 and by the
 * planes. The head has: u8 id, u8 number of planes, u8 shift, u8 0, u32 number of bytes after the
 * head, u64 base, u64 from. A plane of length 1 stands for a plane in which all bytes have this
 * value. If the length is the number of accesses, the plane is not compressed. Any other plane is a
 * zstd frame. */
#define COLUMN_HEAD 24

enum column_id {
	/* end of the access minus end of the access before; the first one is relative to "from" in
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
/* Size of the table of expected offsets, by stream number modulo this size. An access is expected
 * at the offset where the last access of its stream ended, so that sequential accesses pack to
 * zeros. Streams that share an element only pack worse. All elements start with "from" of the
 * column's head. */
#define OFFSET_PLACES 4096

/* largest size in bytes of the packed payload of n accesses */
#define PACKED_MAX(n) ((size_t)(COLUMNS - 1) * (COLUMN_HEAD + 8 * (4 + (size_t)(n))))

struct packer; /* buffers and zstd contexts for packing and unpacking */
struct packer *packer_new(void);
/* makes the buffers large enough for @n accesses; called before columns_pack() and
 * columns_unpack() */
void packer_room(struct packer *p, u32 n);
void packer_free(struct packer *p);

/* Compresses @n bytes @from with zstd to @to. Returns the compressed length, or 0 if the result
 * would not be smaller than @n. */
size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n);
/* Decompresses the zstd frame @from of @size bytes. Returns true if the result, stored in @to, has
 * exactly @n bytes; false also if the frame is damaged. */
bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size);

/* Packs the accesses @b (at least one) to @to, which has room for PACKED_MAX(b->n) bytes. Returns
 * the packed length. Sets *@raw to the length before compression. */
size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw);

/* Unpacks b->n accesses from the payload @from of @size bytes into the columns of @b. Columns of @b
 * that are NULL are skipped. Returns -EBADMSG if the payload is damaged or a column is missing. */
int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b);

#endif
