// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine uring: a worker (a process or thread of a load) submits requests to an io_uring with a
 * registered file and buffers. */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "bench/load/engine-uring.h"
#include "user/base/clock.h"
#include "user/base/privileges.h"
#include "user/host/disk.h"
#include "user/base/err.h"

#define WAIT_NS 10000000000ULL

/* Sets *@bytes to RLIMIT_MEMLOCK. Returns false if this limit does not apply to the process. */
static bool locked_limit(unsigned long long *bytes)
{
	struct rlimit most;

	if (privileges_have(CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &most) ||
	    most.rlim_cur == RLIM_INFINITY)
		return false;
	*bytes = most.rlim_cur;
	return true;
}

/* Returns a lower bound of the size of a ring in bytes. A ring has room for @entries submissions
 * and for twice as many completions. */
static unsigned long long ring_bytes(unsigned entries)
{
	return entries * (sizeof(struct io_uring_sqe) + 2ULL * sizeof(struct io_uring_cqe));
}

int ring_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	unsigned long long until = now_ns() + WAIT_NS, most;
	int ret;

	while ((ret = io_uring_queue_init(entries, ring, flags)) == -ENOMEM &&
	       locked_limit(&most) && ring_bytes(entries) < most && now_ns() < until)
		nanosleep(&pause, NULL);
	return ret;
}

int ring_init_error(int ret, unsigned entries, const char *engine)
{
	const char *use = engine ? "; or use --engine " : "";
	unsigned long long most;

	if (ret == -ENOSYS || ret == -EPERM)
		return error(ret,
			     "this kernel has no io_uring or forbids it (see "
			     "kernel.io_uring_disabled)%s%s",
			     use, engine ?: "");
	if (ret == -ENOMEM && locked_limit(&most))
		return error(ret,
			     "cannot create an io_uring of depth %u: RLIMIT_MEMLOCK, %llu KiB for "
			     "all io_urings of this user, is too low; raise it (ulimit -l)%s%s",
			     entries, most / 1024, use, engine ?: "");
	return error(ret, "cannot create an io_uring of depth %u: %s", entries, strerror(-ret));
}

/* Flags for io_uring, the best set first. If the kernel is too old for a set and returns EINVAL,
 * ring_setup() tries the next set. */
static const unsigned setups[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,
	IORING_SETUP_COOP_TASKRUN,
	0,
};

static int ring_setup(struct worker *w, struct io_uring *ring, unsigned flags)
{
	/* flags that the kernel does not allow with IORING_SETUP_SQPOLL */
	unsigned not = w->spec->sqpoll ? IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN : 0;
	int ret = -EINVAL;

	if (w->spec->sqpoll)
		flags |= IORING_SETUP_SQPOLL;
	if (w->spec->iopoll)
		flags |= IORING_SETUP_IOPOLL;
	for (size_t i = 0; i < sizeof(setups) / sizeof(*setups) && ret == -EINVAL; i++)
		ret = ring_init(w->spec->depth, ring, (setups[i] & ~not ) | flags);
	if (ret && load_fails_first(w->load))
		ring_init_error(ret, w->spec->depth, engine_psync.name);
	return ret;
}

/* Looks in sysfs for poll queues. A disk without poll queues accepts polled requests, but completes
 * them by interrupts. */
int ring_check_polling(int fd)
{
	long long polls;
	struct disk d;
	struct stat st;

	if (fstat(fd, &st) ||
	    disk_by_dev(&this_host, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, &d) ||
	    !disk_number(&d, "queue/io_poll", &polls) || polls)
		return 0;
	return error(-ENOTSUP,
		     "cannot poll: disk '%s' has no queues to poll (queue/io_poll is 0); for "
		     "NVMe, set the module parameter poll_queues",
		     d.name);
}

/* Returns true if the buffers of all workers need at most half of RLIMIT_MEMLOCK. The other half is
 * for the rings of the workers that start later. */
static bool buffers_may_be_locked(const struct worker *w)
{
	u64 bytes = w->spec->procs * w->spec->depth * w->buffer_bytes;
	unsigned long long most;

	return !locked_limit(&most) || bytes <= most / 2;
}

/* Registered buffers make requests slightly faster. Returns false on failure. */
static bool ring_register_buffers(const struct worker *w, struct io_uring *ring)
{
	struct iovec whole = { w->buffers, (size_t)w->spec->depth * w->buffer_bytes };

	return buffers_may_be_locked(w) && !io_uring_register_buffers(ring, &whole, 1);
}

int ring_open(struct worker *w, int fd, unsigned setup)
{
	struct ring *r = w->engine;
	int ret = w->spec->iopoll ? ring_check_polling(w->fd) : 0;

	if (ret)
		return ret;
	ret = ring_setup(w, &r->ring, setup);
	if (ret)
		return ret;
	r->fixed = ring_register_buffers(w, &r->ring);
	ret = io_uring_register_files(&r->ring, &fd, 1);
	if (ret)
		return error(ret, "cannot register the file with io_uring: %s", strerror(-ret));
	/* With this call, io_uring_enter() need not look up the descriptor of the ring each time.
	 * Kernels before 5.18 refuse this call, which does no harm. */
	io_uring_register_ring_fd(&r->ring);
	return 0;
}

static int uring_engine_open(struct worker *w)
{
	int ret;

	w->engine = calloc(1, sizeof(struct ring));
	if (!w->engine)
		return error(-ENOMEM, "out of memory");
	ret = ring_open(w, w->fd, 0);
	if (ret || !w->spec->iopoll)
		return ret;
	ret = ring_try(w, stream_most_bytes(&w->spec->stream));
	return ret ? error(ret, "a read with --iopoll fails: %s", strerror(-ret)) : 0;
}

void ring_close(struct worker *w)
{
	struct ring *r = w->engine;

	if (!r)
		return;
	if (r->ring.ring_fd > 0) {
		/* without this call, the kernel would release the file only some time after
		 * io_uring_queue_exit() */
		io_uring_unregister_files(&r->ring);
		io_uring_queue_exit(&r->ring);
	}
	if (r->fd > 0)
		close(r->fd);
	free(r);
}

static void uring_queue(struct worker *w, struct request *q)
{
	struct ring *r = w->engine;
	struct io_uring_sqe *sqe = ring_next(&r->ring);

	if (q->write && r->fixed)
		io_uring_prep_write_fixed(sqe, 0, q->buffer, q->bytes, q->offset, 0);
	else if (q->write)
		io_uring_prep_write(sqe, 0, q->buffer, q->bytes, q->offset);
	else if (r->fixed)
		io_uring_prep_read_fixed(sqe, 0, q->buffer, q->bytes, q->offset, 0);
	else
		io_uring_prep_read(sqe, 0, q->buffer, q->bytes, q->offset);
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data(sqe, q);
}

static int ring_submit(struct io_uring *ring, bool wait, u64 until_ns)
{
	struct __kernel_timespec left = {};
	struct io_uring_cqe *cqe;
	u64 now;

	if (until_ns && ring->flags & IORING_SETUP_IOPOLL)
		/* With IOPOLL, the kernel ignores the timeout of a wait. So do not wait. */
		wait = false;
	/* with DEFER_TASKRUN, the kernel delivers completions only in a call that asks for them */
	if (!wait)
		return io_uring_submit_and_get_events(ring);
	if (!until_ns)
		return io_uring_submit_and_wait(ring, 1);
	now = now_ns();
	if (until_ns > now) {
		left.tv_sec = (until_ns - now) / 1000000000;
		left.tv_nsec = (until_ns - now) % 1000000000;
	}
	return io_uring_submit_and_wait_timeout(ring, &cqe, 1, &left, NULL);
}

int ring_reap(struct worker *w, bool wait, u64 until_ns)
{
	struct ring *r = w->engine;
	int ret = ring_submit(&r->ring, wait, until_ns);
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	if (ret < 0 && ret != -EINTR && ret != -ETIME && ret != -EAGAIN && ret != -EBUSY)
		return error(ret, "io_uring accepts no more requests: %s", strerror(-ret));
	io_uring_for_each_cqe(&r->ring, head, cqe)
	{
		struct request *q = io_uring_cqe_get_data(cqe);

		q->result = cqe->res;
		w->ended[w->ended_n++] = q;
		n++;
	}
	io_uring_cq_advance(&r->ring, n);
	return 0;
}

int ring_try(struct worker *w, u64 bytes)
{
	struct request *q = &w->requests[0];
	int ret = 0;

	q->offset = w->part * w->spec->stream.unique_bytes;
	q->bytes = bytes;
	q->write = false;
	w->spec->engine->queue(w, q);
	while (!ret && !w->ended_n)
		ret = w->spec->engine->reap(w, true, 0);
	w->ended_n = 0;
	return ret ?: q->result < 0 ? q->result : 0;
}

const struct engine engine_uring = {
	.name = "uring",
	.can = ENGINE_BATCH | ENGINE_DEPTH | ENGINE_DATA | ENGINE_CACHE | ENGINE_DIRECT |
		ENGINE_RING,
	.open = uring_engine_open,
	.close = ring_close,
	.queue = uring_queue,
	.reap = ring_reap,
};
