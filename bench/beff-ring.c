// SPDX-License-Identifier: GPL-2.0-or-later
#include "beff-ring.h"

#include <errno.h>

#define MOST (1U << 30)			/* of one request; the kernel takes no more than 2 GiB */

static unsigned queue(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n)
{
	unsigned queued = 0;

	for (unsigned i = 0; i < n; i++) {
		struct beff_piece *p = &pieces[i];
		unsigned bytes = p->bytes < MOST ? p->bytes : MOST;
		struct io_uring_sqe *sqe;

		if (!bytes)
			continue;
		sqe = io_uring_get_sqe(&f->ring);
		if (write)
			io_uring_prep_write(sqe, f->fd, p->data, bytes, p->at);
		else
			io_uring_prep_read(sqe, f->fd, p->data, bytes, p->at);
		io_uring_sqe_set_data(sqe, p);
		queued++;
	}
	return queued;
}

/* Its part that has been moved, or the error. */
static int take(struct beff_piece *p, int result)
{
	if (!result)
		return -ENODATA;
	if (result < 0)
		return result == -EINTR || result == -EAGAIN ? 0 : result;
	p->data += result;
	p->at += result;
	p->bytes -= result;
	return 0;
}

/* Waits for @n. The first error, if there is any. */
static int reap(struct beff_ring *f, unsigned n)
{
	struct io_uring_cqe *cqe;
	int ret = 0;

	while (n) {
		int waited = io_uring_submit_and_wait(&f->ring, n), one;
		unsigned head, got = 0;

		if (waited < 0 && waited != -EINTR && waited != -EAGAIN && waited != -EBUSY)
			return waited;
		io_uring_for_each_cqe(&f->ring, head, cqe) {
			one = take(io_uring_cqe_get_data(cqe), cqe->res);
			ret = ret ?: one;
			got++;
		}
		io_uring_cq_advance(&f->ring, got);
		n -= got;
	}
	return ret;
}

/* What is moved in part goes on. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n)
{
	unsigned queued;
	int ret = 0;

	while (!ret && (queued = queue(f, write, pieces, n)))
		ret = reap(f, queued);
	return ret;
}
