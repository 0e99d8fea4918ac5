// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks all bytes that a run of b_eff_io wrote, outside of the measured time. Each process (rank)
 * checks an equal part of the files. A chunk is a contiguous piece of data that one rank wrote. A
 * pattern is a series of calls with one chunk size. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/beff/engine.h"
#include "bench/beff/check.h"
#include "bench/beff/rank.h"

/* The chunks of one pattern that a rank checks: .n chunks of .l bytes, without gaps, from file
 * offset .at. If the chunks of the ranks alternate in the file, .first is the index of the first
 * checked chunk among the chunks of all ranks. Otherwise, .first is 0. */
struct chunks {
	unsigned pattern;
	u64 l, at, first, n;
};

/* Returns true if chunks of different ranks alternate in the file. In this case, a rank also checks
 * chunks that other ranks wrote. */
static bool are_interleaved(const struct beff_shape *s, const struct chunks *c)
{
	return beff_stride(s, c->pattern) != c->l;
}

static struct chunks chunks_of_rank(const struct beff_rank *r, unsigned p)
{
	const struct beff_shape *s = &r->step->shape;
	struct chunks c = { .pattern = p, .l = beff_l(s, p) };

	c.n = c.l ? beff_bytes_of(s, p) / c.l : 0;
	c.first = are_interleaved(s, &c) ? r->number * c.n : 0;
	c.at = are_interleaved(s, &c) ? beff_offset(s, p, 0, 0) + c.first * c.l :
					beff_offset(s, p, r->number, 0);
	return c;
}

static bool chunk_is_whole(const struct beff_rank *r, const struct chunks *c, u64 i,
			   const char *data)
{
	struct beff_owner o = { r->number, c->pattern, r->step->written };
	u64 k = i;

	if (are_interleaved(&r->step->shape, c)) {
		o.rank = (c->first + i) % r->step->shape.ranks;
		k = (c->first + i) / r->step->shape.ranks;
	}
	return beff_is_whole(o, k, data, c->l);
}

/* Reads @bytes from offset @at. Returns 0, -ENODATA if the file ends too early, or -errno. */
static int read_whole(int fd, char *to, u64 bytes, u64 at)
{
	while (bytes) {
		ssize_t n = pread(fd, to, bytes, at);

		if (n <= 0)
			return n ? -errno : -ENODATA;
		to += n;
		at += n;
		bytes -= n;
	}
	return 0;
}

static int check_chunks(struct beff_rank *r, const struct chunks *c, int fd)
{
	u64 together = c->l ? beff_buffer_bytes(r->setup) / c->l : 0;
	int ret = 0;

	for (u64 i = 0, n; i < c->n && !ret; i += n) {
		n = c->n - i < together ? c->n - i : together;
		ret = read_whole(fd, r->buffer, n * c->l, c->at + i * c->l);
		for (u64 k = 0; k < n && !ret; k++)
			r->out->errors += !chunk_is_whole(r, c, i + k, r->buffer + k * c->l);
		r->out->checked_bytes += ret ? 0 : n * c->l;
	}
	return ret;
}

void beff_check(struct beff_rank *r)
{
	char *path = beff_path(r);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), ret = 0;

	free(path);
	if (fd < 0) {
		beff_failed(r, BEFF_CALL_OPEN, -errno);
		return;
	}
	for (unsigned p = 0; p < BEFF_PATTERNS && !ret; p++) {
		struct chunks c = chunks_of_rank(r, p);

		if (beff_patterns[p].type == r->step->type)
			ret = check_chunks(r, &c, fd);
	}
	beff_failed(r, BEFF_CALL_READ, ret);
	close(fd);
}
