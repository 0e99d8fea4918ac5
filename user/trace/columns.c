// SPDX-License-Identifier: GPL-2.0-or-later
/* Packs accesses column by column: each field of the accesses is one column. columns.h describes
 * the packed form, in which plane k has byte k of each number. */
#include "user/trace/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "user/base/err.h"
#include "user/trace/format.h"

#define LEVEL 1 /* zstd compression level; 1 is fast */
#define SIGN (1ULL << 63)

struct packer {
	ZSTD_CCtx *pack;
	ZSTD_DCtx *unpack;
	u32 room;
	/* the numbers of the column that is being packed or unpacked, one per access (x[i] in
	 * columns.h) */
	u64 *x;
	/* plane k has byte k of each packed number; there is room for 8 planes */
	u8 *planes;
	u64 expected[OFFSET_PLACES];
};

struct packer *packer_new(void)
{
	return need(calloc(1, sizeof(struct packer)));
}

void packer_room(struct packer *p, u32 n)
{
	p->room = n;
	p->x = need(reallocarray(p->x, n, sizeof(*p->x)));
	p->planes = need(reallocarray(p->planes, n, 8));
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->pack);
	ZSTD_freeDCtx(p->unpack);
	free(p->x);
	free(p->planes);
	free(p);
}

size_t bytes_pack(struct packer *p, u8 *to, const void *from, size_t n)
{
	size_t size;

	if (!p->pack)
		p->pack = need(ZSTD_createCCtx());
	size = n ? ZSTD_compressCCtx(p->pack, to, n - 1, from, n, LEVEL) : 0;
	/* in practice, zstd fails only if the result does not fit in n - 1 bytes */
	return ZSTD_isError(size) ? 0 : size;
}

bool bytes_unpack(struct packer *p, u8 *to, size_t n, const u8 *from, size_t size)
{
	if (!p->unpack)
		p->unpack = need(ZSTD_createDCtx());
	return ZSTD_decompressDCtx(p->unpack, to, n, from, size) == n;
}

static inline u64 offset_after(u64 offset, u64 bytes)
{
	return offset == TRACE_NO_OFFSET ? offset : offset + bytes;
}

static void expect_at(struct packer *p, u64 offset)
{
	for (unsigned i = 0; i < OFFSET_PLACES; i++)
		p->expected[i] = offset;
}

struct column {
	u8 id;
	bool is_signed; /* true if the numbers are signed, such as differences of offsets */
	u64 from;
};

/* Returns the smallest of the @n numbers @x: the base of the column. Sets *@bits to the bitwise OR
 * of all differences x - base. Only these bits must be stored: all other bits are 0 in every
 * difference. */
static u64 column_base(const u64 *x, u32 n, bool is_signed, u64 *bits)
{
	u64 flip = is_signed ? SIGN : 0, least = ~0ULL, or = 0;

	for (u32 i = 0; i < n; i++)
		if ((x[i] ^ flip) < least)
			least = x[i] ^ flip;
	least ^= flip;
	for (u32 i = 0; i < n; i++)
		or |= x[i] - least;
	*bits = or ;
	return least;
}

static size_t pack_plane(struct packer *p, const u8 *plane, u32 n, u8 *to)
{
	size_t size;

	if (!memcmp(plane, plane + 1, n - 1)) {
		*to = *plane;
		return 1;
	}
	size = bytes_pack(p, to, plane, n);
	if (size > 1)
		return size;
	memcpy(to, plane, n);
	return n;
}

/* Packs the first @n numbers of p->x as column @c, and writes the column to @to. @n must be above
 * 0. Returns the packed length. Adds the length before compression to *@raw. */
static size_t pack_column(struct packer *p, const struct column *c, u32 n, u8 *to, u32 *raw)
{
	u64 bits, base = column_base(p->x, n, c->is_signed, &bits);
	unsigned shift = bits ? __builtin_ctzll(bits) : 0;
	unsigned planes = bits ? (71 - __builtin_clzll(bits) - shift) / 8 : 0;
	u8 *lengths = to + COLUMN_HEAD, *end = lengths + 4 * planes;

	for (unsigned k = 0; k < planes; k++) {
		size_t size;

		for (u32 i = 0; i < n; i++)
			p->planes[i] = (p->x[i] - base) >> shift >> 8 * k;
		size = pack_plane(p, p->planes, n, end);
		put32(lengths + 4 * k, size);
		end += size;
	}
	to[0] = c->id;
	to[1] = planes;
	to[2] = shift;
	to[3] = 0;
	put32(to + 4, end - lengths);
	put64(to + 8, base);
	put64(to + 16, c->from);
	*raw += planes * n;
	return end - to;
}

static size_t pack_ends(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw)
{
	struct column end = { COLUMN_END, true, b->end_ns[0] };
	struct column duration = { COLUMN_DURATION, true, 0 };
	size_t size;

	p->x[0] = 0;
	for (u32 i = 1; i < b->n; i++)
		p->x[i] = b->end_ns[i] - b->end_ns[i - 1];
	size = pack_column(p, &end, b->n, to, raw);
	for (u32 i = 0; i < b->n; i++)
		p->x[i] = b->end_ns[i] - b->start_ns[i];
	return size + pack_column(p, &duration, b->n, to + size, raw);
}

static size_t pack_offsets(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw)
{
	struct column c = { COLUMN_OFFSET, true, b->offset[0] };

	expect_at(p, c.from);
	for (u32 i = 0; i < b->n; i++) {
		u64 *at = &p->expected[b->stream[i] % OFFSET_PLACES];

		p->x[i] = b->offset[i] - *at;
		*at = offset_after(b->offset[i], b->bytes[i]);
	}
	return pack_column(p, &c, b->n, to, raw);
}

static size_t pack_plain(struct packer *p, u8 id, const u64 *values, u32 n, u8 *to, u32 *raw)
{
	struct column c = { .id = id };

	if (values)
		memcpy(p->x, values, n * sizeof(*values));
	return pack_column(p, &c, n, to, raw);
}

size_t columns_pack(struct packer *p, const struct trace_batch *b, u8 *to, u32 *raw)
{
	u8 *start = to;

	*raw = 0;
	to += pack_ends(p, b, to, raw);
	to += pack_plain(p, COLUMN_BYTES, b->bytes, b->n, to, raw);
	for (u32 i = 0; i < b->n; i++)
		p->x[i] = b->stream[i];
	to += pack_plain(p, COLUMN_STREAM, NULL, b->n, to, raw);
	for (u32 i = 0; i < b->n; i++)
		p->x[i] = b->flags[i];
	to += pack_plain(p, COLUMN_FLAGS, NULL, b->n, to, raw);
	to += pack_offsets(p, b, to, raw);
	to += pack_plain(p, COLUMN_QUEUED, b->queued_ns, b->n, to, raw);
	to += pack_plain(p, COLUMN_HELD, b->held_ns, b->n, to, raw);
	return to - start;
}

struct packed {
	/* head of the column in the chunk; NULL: the chunk does not have this column */
	const u8 *head;
	u64 base, from;
	unsigned planes, shift;
};

/* Finds the columns in a chunk's payload, and sets @found. Skips unknown ids, which later versions
 * of the format may have. Returns -EBADMSG if the payload is damaged or a column occurs twice. */
static int index_columns(const u8 *from, size_t size, struct packed found[COLUMNS])
{
	const u8 *end = from + size;

	memset(found, 0, COLUMNS * sizeof(*found));
	while (from < end) {
		u32 length;

		if (end - from < COLUMN_HEAD)
			return -EBADMSG;
		length = get32(from + 4);
		if (length > (size_t)(end - from - COLUMN_HEAD))
			return -EBADMSG;
		if (*from && *from < COLUMNS) {
			struct packed *c = &found[*from];

			if (c->head || from[1] > 8 || from[2] > 63 || 4U * from[1] > length)
				return -EBADMSG;
			*c = (struct packed){ from, get64(from + 8), get64(from + 16), from[1],
					      from[2] };
		}
		from += COLUMN_HEAD + length;
	}
	return 0;
}

/* Decompresses the planes of column @c. Sets at[k] to plane k, which has byte k of each of the @n
 * numbers. */
static int unpack_planes(struct packer *p, const struct packed *c, u32 n, const u8 *at[8])
{
	const u8 *lengths = c->head + COLUMN_HEAD, *from = lengths + 4 * c->planes;
	const u8 *end = lengths + get32(c->head + 4);

	for (unsigned k = 0; k < c->planes; k++) {
		u32 length = get32(lengths + 4 * k);
		u8 *plane = p->planes + (size_t)k * n;

		if (length > end - from)
			return -EBADMSG;
		at[k] = plane;
		if (length == n)
			at[k] = from;
		else if (length == 1)
			memset(plane, *from, n);
		else if (!bytes_unpack(p, plane, n, from, length))
			return -EBADMSG;
		from += length;
	}
	return from == end ? 0 : -EBADMSG;
}

/* Joins the bytes of @planes planes to the numbers @x. Each caller passes a constant for @planes,
 * so the compiler unrolls the loop in each inlined copy. */
static inline __attribute__((always_inline)) void
gather(u64 *restrict x, u32 n, const struct packed *c, const u8 *const at[8], unsigned planes)
{
	const u8 *restrict p[8];
	u64 base = c->base;
	unsigned shift = c->shift;

	for (unsigned k = 0; k < planes; k++)
		p[k] = at[k];
	for (u32 i = 0; i < n; i++) {
		u64 v = 0;

		for (unsigned k = 0; k < planes; k++)
			v |= (u64)p[k][i] << 8 * k;
		x[i] = base + (v << shift);
	}
}

static int unpack_column(struct packer *p, const struct packed *c, u32 n, u64 *x)
{
	const u8 *at[8];
	int ret;

	if (!c->head)
		return -EBADMSG;
	ret = unpack_planes(p, c, n, at);
	if (ret)
		return ret;
	switch (c->planes) {
	case 0:
		gather(x, n, c, at, 0);
		break;
	case 1:
		gather(x, n, c, at, 1);
		break;
	case 2:
		gather(x, n, c, at, 2);
		break;
	case 3:
		gather(x, n, c, at, 3);
		break;
	case 4:
		gather(x, n, c, at, 4);
		break;
	case 5:
		gather(x, n, c, at, 5);
		break;
	case 6:
		gather(x, n, c, at, 6);
		break;
	case 7:
		gather(x, n, c, at, 7);
		break;
	case 8:
		gather(x, n, c, at, 8);
		break;
	}
	return 0;
}

static int unpack_ends(struct packer *p, const struct packed *c, struct trace_batch *b)
{
	u64 end = c[COLUMN_END].from;
	int ret = unpack_column(p, &c[COLUMN_END], b->n, p->x);

	if (ret)
		return ret;
	for (u32 i = 0; i < b->n; i++)
		b->end_ns[i] = end += p->x[i];
	ret = unpack_column(p, &c[COLUMN_DURATION], b->n, p->x);
	for (u32 i = 0; !ret && i < b->n; i++)
		b->start_ns[i] = b->end_ns[i] - p->x[i];
	return ret;
}

/* Unpacks stream numbers and flags. In the file, both have 64 bits. In memory, a stream number has
 * 32 bits, and the flags of an access have 8. If a value does not fit, the chunk is damaged. */
static int unpack_small(struct packer *p, const struct packed *c, struct trace_batch *b)
{
	u64 streams = 0, flags = 0;
	int ret = unpack_column(p, &c[COLUMN_STREAM], b->n, p->x);

	for (u32 i = 0; !ret && i < b->n; i++) {
		b->stream[i] = p->x[i];
		streams |= p->x[i];
	}
	if (!ret)
		ret = unpack_column(p, &c[COLUMN_FLAGS], b->n, p->x);
	for (u32 i = 0; !ret && i < b->n; i++) {
		b->flags[i] = p->x[i];
		flags |= p->x[i];
	}
	return ret || streams > UINT32_MAX || flags > UINT8_MAX ? -EBADMSG : 0;
}

static int unpack_offsets(struct packer *p, const struct packed *c, struct trace_batch *b)
{
	int ret = unpack_column(p, c, b->n, p->x);

	if (ret)
		return ret;
	expect_at(p, c->from);
	for (u32 i = 0; i < b->n; i++) {
		u64 *at = &p->expected[b->stream[i] % OFFSET_PLACES];

		b->offset[i] = *at + p->x[i];
		*at = offset_after(b->offset[i], b->bytes[i]);
	}
	return 0;
}

int columns_unpack(struct packer *p, const u8 *from, size_t size, struct trace_batch *b)
{
	struct packed c[COLUMNS];
	int ret = index_columns(from, size, c);

	if (!b->n || b->n > p->room)
		return -EBADMSG;
	if (!ret)
		ret = unpack_ends(p, c, b);
	if (!ret)
		ret = unpack_column(p, &c[COLUMN_BYTES], b->n, b->bytes);
	if (!ret)
		ret = unpack_small(p, c, b);
	if (!ret && b->offset)
		ret = unpack_offsets(p, &c[COLUMN_OFFSET], b);
	if (!ret && b->queued_ns)
		ret = unpack_column(p, &c[COLUMN_QUEUED], b->n, b->queued_ns);
	if (!ret && b->held_ns)
		ret = unpack_column(p, &c[COLUMN_HELD], b->n, b->held_ns);
	return ret;
}
