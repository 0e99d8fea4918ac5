// SPDX-License-Identifier: GPL-2.0-or-later
/* The io_uring with which one process transfers several parts (pieces) of a file at the same
 * time. */
#include "bench/beff/uring.h"

#include <errno.h>
#include <string.h>

#include "bench/load/engine-uring.h"
#include "user/base/err.h"

#define SECTOR 512
#define PAST_END (1ULL << 62) /* offset past the end of any file */
/* maximum number of bytes per request, because the kernel transfers less than 2 GiB per request */
#define MOST (1U << 30)

int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2])
{
	int ret;

	if (f->buffers[0].iov_base)
		return 0;
	ret = io_uring_register_buffers(&f->ring, buffers, 2);
	if (!ret)
		memcpy(f->buffers, buffers, sizeof(f->buffers));
	return ret;
}

/* Tests polled I/O by a read past the end of the file. Returns 0 if the read reports the end of the
 * file. If the file system does not support polled I/O, returns the error of the read. */
static int try_polled_read(struct beff_ring *f)
{
	char sector[SECTOR] __attribute__((aligned(SECTOR)));
	struct beff_piece p = { sector, sizeof(sector), PAST_END };
	int ret = beff_ring_move(f, false, &p, 1);

	return ret == -ENODATA ? 0 : ret;
}

int beff_ring_poll(struct beff_ring *f, int fd, bool say)
{
	int ret;

	f->fd = fd;
	if (f->ring.ring_fd)
		return 0;
	ret = ring_init(BEFF_RING_DEPTH, &f->ring, IORING_SETUP_IOPOLL) ?: try_polled_read(f);
	if (ret && say)
		error(ret, "cannot poll: a polled read fails: %s", strerror(-ret));
	return ret;
}

static int buffer_of(const struct beff_ring *f, const struct beff_piece *p)
{
	const char *second = f->buffers[1].iov_base;

	return p->data >= second && p->data < second + f->buffers[1].iov_len;
}

static void prepare_request(const struct beff_ring *f, struct io_uring_sqe *sqe, bool write,
			    const struct beff_piece *p, unsigned bytes)
{
	if (f->registered && write)
		io_uring_prep_write_fixed(sqe, f->fd, p->data, bytes, p->at, buffer_of(f, p));
	else if (f->registered)
		io_uring_prep_read_fixed(sqe, f->fd, p->data, bytes, p->at, buffer_of(f, p));
	else if (write)
		io_uring_prep_write(sqe, f->fd, p->data, bytes, p->at);
	else
		io_uring_prep_read(sqe, f->fd, p->data, bytes, p->at);
}

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
		prepare_request(f, sqe, write, p, bytes);
		io_uring_sqe_set_data(sqe, p);
		queued++;
	}
	return queued;
}

/* Moves the start of @p past the bytes that a request has transferred. @result is the result of the
 * request. A short transfer is no error, because beff_ring_move() requests the remaining bytes.
 * Returns 0 or -errno. */
static int piece_advance(struct beff_piece *p, int result)
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

static int reap(struct beff_ring *f, unsigned n)
{
	struct io_uring_cqe *cqe;
	int ret = 0;

	while (n) {
		int waited = io_uring_submit_and_wait(&f->ring, n), one;
		unsigned head, got = 0;

		if (waited < 0 && waited != -EINTR && waited != -EAGAIN && waited != -EBUSY)
			return waited;
		io_uring_for_each_cqe(&f->ring, head, cqe)
		{
			one = piece_advance(io_uring_cqe_get_data(cqe), cqe->res);
			ret = ret ?: one;
			got++;
		}
		io_uring_cq_advance(&f->ring, got);
		n -= got;
	}
	return ret;
}

int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n)
{
	unsigned queued;
	int ret = 0;

	while (!ret && (queued = queue(f, write, pieces, n)))
		ret = reap(f, queued);
	return ret;
}
