// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine uring of b_eff_io. Each rank has an io_uring. With collective buffering, ranks
 * exchange scattered chunks with agents through shared memory. An agent is a rank that then
 * transfers large parts of the file. */
#include "bench/beff/uring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/load/engine-uring.h"
#include "user/base/err.h"
#include "bench/beff/engine.h"

static int move_one(struct beff_rank *r, bool write, char *data, u64 bytes, u64 at)
{
	struct beff_piece p = { data, bytes, at };
	const struct beff_uring *f = r->engine;

	return r->out->error ? 0 : beff_ring_move(f->ring, write, &p, 1);
}

/* Transfers the chunks of the rank by one request per chunk, without agents. */
static int move_scattered(struct beff_rank *r, bool write, u64 k)
{
	const struct beff_extent *e = &r->extent;
	const struct beff_uring *f = r->engine;
	unsigned all = e->call / e->l;
	struct beff_piece pieces[BEFF_RING_DEPTH];
	int ret = 0;

	for (unsigned done = 0, n; done < all && !ret && !r->out->error; done += n) {
		n = all - done < BEFF_RING_DEPTH ? all - done : BEFF_RING_DEPTH;
		for (unsigned i = 0; i < n; i++)
			pieces[i] = (struct beff_piece){ r->buffer + (done + i) * e->l, e->l,
							 e->at + (k + done + i) * e->stride };
		ret = beff_ring_move(f->ring, write, pieces, n);
	}
	return ret;
}

/* Copies chunks of this rank from its buffer to the agents' buffers. If @to_agents is false, copies
 * from the agents' buffers to its buffer. The agents' buffers hold @bytes bytes of the file from
 * offset @start on, counted from the first chunk of the call. Only chunks in these bytes are
 * copied. */
static void exchange(struct beff_rank *r, bool to_agents, u64 start, u64 bytes)
{
	u64 l = r->extent.l, stride = r->extent.stride, all = r->extent.call / l;

	for (u64 i = start / stride; i < all; i++) {
		u64 at = i * stride + r->number * l, from = at, to = at + l;

		if (from < start)
			from = start;
		if (to > start + bytes)
			to = start + bytes;
		if (at >= start + bytes)
			break;
		if (from >= to)
			continue;
		if (to_agents)
			memcpy(r->agents + from - start, r->buffer + i * l + from - at, to - from);
		else
			memcpy(r->buffer + i * l + from - at, r->agents + from - start, to - from);
	}
}

static unsigned agents_of(const struct beff_rank *r)
{
	const struct beff_uring *f = r->engine;
	unsigned ranks = r->step->shape.ranks;

	return f->agents && f->agents < ranks ? f->agents : ranks;
}

/* The agents' buffers hold @bytes bytes of the file from offset @at on, and each agent has an equal
 * part. Transfers the part of this rank to or from the file. Does nothing if this rank is not an
 * agent. */
static int move_as_agent(struct beff_rank *r, bool write, u64 bytes, u64 at)
{
	unsigned agents = agents_of(r);
	u64 share = (bytes / agents + BEFF_PAGE) / BEFF_PAGE * BEFF_PAGE, start = r->number * share;

	if (start >= bytes)
		return 0;
	if (share > bytes - start)
		share = bytes - start;
	return move_one(r, write, r->agents + start, share, at + start);
}

/* Transfers the chunks of all ranks through the buffers of the agents. The file is transferred in
 * windows, each as long as the buffers of all agents together. */
static int move_collective(struct beff_rank *r, bool write, u64 k)
{
	const struct beff_extent *e = &r->extent;
	const struct beff_uring *f = r->engine;
	u64 window = agents_of(r) * f->collective_bytes, n;
	u64 at = e->at - r->number * e->l + k * e->stride;
	u64 all = e->call * r->step->shape.ranks;
	int ret = 0, one;

	for (u64 start = 0; start < all; start += n) {
		n = all - start < window ? all - start : window;
		if (write)
			exchange(r, true, start, n);
		r->io->barrier(r);
		one = move_as_agent(r, write, n, at + start);
		ret = ret ?: one;
		r->io->barrier(r);
		if (write)
			continue;
		exchange(r, false, start, n);
		r->io->barrier(r);
	}
	return ret;
}

static int move_scatter(struct beff_rank *r, bool write, u64 k)
{
	const struct beff_extent *e = &r->extent;
	const struct beff_uring *f = r->engine;

	/* the chunks of a single rank have no gaps between them, so one request transfers them
	 * all */
	if (r->step->shape.ranks == 1)
		return move_one(r, write, r->buffer, e->call, e->at + k * e->stride);
	/* with one chunk per call, collective buffering has no advantage */
	return f->collective && e->call > e->l ? move_collective(r, write, k) :
						 move_scattered(r, write, k);
}

static int uring_move(struct beff_rank *r, bool write, u64 k)
{
	const struct beff_extent *e = &r->extent;
	u64 at;
	int ret;

	if (r->step->type == BEFF_SCATTER)
		return move_scatter(r, write, k);
	at = r->step->type == BEFF_SHARED && r->setup->shared_pointer && !r->step->extension ?
		beff_take_pointer(r, e->l) :
		e->at + k * e->stride;
	ret = move_one(r, write, r->buffer, e->l, at);
	if (r->step->type == BEFF_SEG_COLL)
		r->io->barrier(r);
	return ret;
}

/* Allocates the state of the engine for one rank. The rank uses the same io_uring for all its
 * files. */
static int new_ring(struct beff_uring **f)
{
	int ret;

	*f = calloc(1, sizeof(**f));
	ret = *f ? ring_init(BEFF_RING_DEPTH, &(*f)->io.ring, 0) : -ENOMEM;
	if (ret)
		free(*f);
	return ret;
}

/* Opens the file of a rank. If @access is BEFF_WRITE, the file does not exist yet: one of the ranks
 * that share it creates it, and the others open it. */
static int open_rank_file(const char *path, enum beff_access access)
{
	int how = O_NOFOLLOW | O_CLOEXEC, fd = -1;

	if (access == BEFF_WRITE)
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | how, 0600);
	if (access != BEFF_WRITE || (fd < 0 && errno == EEXIST))
		fd = open(path, (access == BEFF_READ ? O_RDONLY : O_RDWR) | how);
	if (fd < 0)
		return -errno;
	return fd;
}

static int beff_uring_open(struct beff_rank *r, const char *path)
{
	struct beff_uring *f = r->engine;
	int ret = f ? 0 : new_ring(&f);

	if (ret)
		return ret;
	r->engine = f;
	f->io.fd = open_rank_file(path, r->step->access);
	return f->io.fd < 0 ? f->io.fd : 0;
}

static int uring_sync(struct beff_rank *r)
{
	const struct beff_uring *f = r->engine;

	return !r->out->error && fsync(f->io.fd) ? -errno : 0;
}

static int uring_close(struct beff_rank *r)
{
	const struct beff_uring *f = r->engine;

	return close(f->io.fd) ? -errno : 0;
}

static int uring_check(const char *dir, const struct beff_hints *hints)
{
	struct io_uring ring;
	int ret = ring_init(BEFF_RING_DEPTH, &ring, 0);

	if (ret)
		return ring_init_error(ret, BEFF_RING_DEPTH, NULL);
	io_uring_queue_exit(&ring);
	return beff_uring_check_hints(dir, hints);
}

const struct beff_io beff_uring_io = {
	.open = beff_uring_open,
	.close = uring_close,
	.view = beff_uring_view,
	.move = uring_move,
	.sync = uring_sync,
	.barrier = beff_barrier,
	.agree = beff_agree,
};

const struct beff_engine beff_uring = {
	.name = "uring",
	.check = uring_check,
	.knows = beff_uring_knows,
	.begin = beff_crew_begin,
	.step = beff_crew_step,
	.end = beff_crew_end,
};
