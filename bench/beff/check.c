// SPDX-License-Identifier: GPL-2.0-or-later
/* All bytes of the files, not timed: each rank looks at an equal part of them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/beff/engine.h"
#include "bench/beff/check.h"
#include "bench/beff/rank.h"

/* A row of chunks that lie together: the first of them, and how many. */
struct chunks {
	unsigned pattern;
	u64 l, at, first, n;
};

/* Where ranks take turns, a rank looks at chunks of all of them. */
static bool takes_turns(const struct beff_shape *s, const struct chunks *c)
{
	return beff_stride(s, c->pattern) != c->l;
}

static struct chunks part_of(const struct beff_rank *r, unsigned p)
{
	const struct beff_shape *s = &r->step->shape;
	struct chunks c = { .pattern = p, .l = beff_l(s, p) };

	c.n = c.l ? beff_bytes_of(s, p) / c.l : 0;
	c.first = takes_turns(s, &c) ? r->number * c.n : 0;
	c.at = takes_turns(s, &c) ? beff_offset(s, p, 0, 0) + c.first * c.l :
				    beff_offset(s, p, r->number, 0);
	return c;
}

static bool is_whole(const struct beff_rank *r, const struct chunks *c, u64 i, const char *data)
{
	struct beff_owner o = { r->number, c->pattern, r->step->written };
	u64 k = i;

	if (takes_turns(&r->step->shape, c)) {
		o.rank = (c->first + i) % r->step->shape.ranks;
		k = (c->first + i) / r->step->shape.ranks;
	}
	return beff_is_whole(o, k, data, c->l);
}

/* 0, or what went wrong: a negative errno. */
static int read_all(int fd, char *to, u64 bytes, u64 at)
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

static int look_at(struct beff_rank *r, const struct chunks *c, int fd)
{
	u64 together = c->l ? beff_buffer_bytes(r->setup) / c->l : 0;
	int ret = 0;

	for (u64 i = 0, n; i < c->n && !ret; i += n) {
		n = c->n - i < together ? c->n - i : together;
		ret = read_all(fd, r->buffer, n * c->l, c->at + i * c->l);
		for (u64 k = 0; k < n && !ret; k++)
			r->out->errors += !is_whole(r, c, i + k, r->buffer + k * c->l);
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
		struct chunks c = part_of(r, p);

		if (beff_patterns[p].type == r->step->type)
			ret = look_at(r, &c, fd);
	}
	beff_failed(r, BEFF_CALL_READ, ret);
	close(fd);
}
