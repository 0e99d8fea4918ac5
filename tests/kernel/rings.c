// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes requests to io_uring on a file of 1 MiB, on all paths in the kernel:
 *
 *	rings MODE FILE
 *
 *	inline, async	reads and writes in the submitting call, or by the kernel's workers
 *	buffers		reads and writes of registered buffers, with vectors if the kernel has them
 *	polled		reads and writes that the kernel's own thread submits (SQPOLL)
 *	links, hardlinks chains of three reads; the second one fails
 *	sync		syncs of the file and of the working directory
 *	eof		reads across and beyond the end of the file
 *	cancel		reads that are cancelled while they wait for a worker
 *	held		reads that wait for a timeout of a minute, which is cancelled
 *	overflow	more completion events than the queue has room for
 *	exit		like held, but the program ends without cancelling the timeout;
 *			prints the number of reads
 *	same		10,000 reads with the same user_data, up to 256 in flight, submitted
 *			by the kernel's own thread, with a queue for 16 events
 *	leave		like same, but the program ends with reads in flight; prints the
 *			number of requests that the kernel took
 *
 *	refused		requests that never reach a file; prints the number of failures
 *	late		reads of registered files that the previous request opens
 *
 *	storm		for each line of stdin, runs a child and prints a line. The child holds 256
 *			reads with the same user_data. It causes 3 x 4,096 events for which the
 *			queue has no room, and kills itself.
 *
 * Prints the results of the requests:
 *
 *	{"read": [requests, bytes, errors], "write": [...], "sync": [...], "odd": N,
 *	 "at_most_ns": N}
 *
 * A failed request counts with the bytes that it requested. "odd" is the number of requests that
 * ended in the unusual way of the mode: failed, short, cancelled, or without room for their event.
 * "at_most_ns" is the time of the program, an upper bound for T, the time with requests in flight.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "tests/kernel/raw-ring.h"
#include "user/base/clock.h"

#define SIZE 4096
#define FILE_SIZE (1 << 20)
#define N 24
#define MANY 10000
#define STORM 4096
#define FLYING 256
#define OTHER 999 /* user_data of requests that must not count as accesses */

/* operations of Linux 6.15 that older headers do not define */
enum { READV_FIXED = 60, WRITEV_FIXED = 61 };

static struct sum {
	long requests, bytes, errors;
} reads, writes, syncs;
static long odd;
static struct io_uring_sqe asked[2 * N];
static char buf[N][SIZE] __attribute__((aligned(SIZE)));
static int fd, direct;
static struct ring ring;

static struct io_uring_sqe *request(int i, int opcode, int file, int flags)
{
	asked[i] = (struct io_uring_sqe){
		.opcode = opcode,
		.flags = flags,
		.fd = file,
		.addr = (unsigned long)buf[i % N],
		.len = SIZE,
		.off = i % N * SIZE,
		.user_data = i,
	};
	return &asked[i];
}

static void other(int opcode, int flags, unsigned long addr, unsigned more)
{
	struct io_uring_sqe sqe = {
		.opcode = opcode,
		.flags = flags,
		.fd = -1,
		.addr = addr,
		.len = opcode == IORING_OP_TIMEOUT,
		.cancel_flags = more,
		.user_data = OTHER,
	};

	ring_add(&ring, &sqe);
}

static struct sum *sum_of(int opcode)
{
	switch (opcode) {
	case IORING_OP_READ:
	case IORING_OP_READ_FIXED:
	case READV_FIXED:
		return &reads;
	case IORING_OP_WRITE:
	case IORING_OP_WRITE_FIXED:
	case WRITEV_FIXED:
		return &writes;
	}
	return &syncs;
}

static void take(int want)
{
	struct io_uring_cqe e;

	while (want) {
		struct sum *to;

		if (!ring_event(&ring, &e)) {
			ring_enter(&ring, 0, 1, 0);
			continue;
		}
		if (e.user_data == OTHER)
			continue;
		want--;
		to = sum_of(asked[e.user_data].opcode);
		to->requests++;
		to->errors += e.res < 0;
		to->bytes += e.res < 0 ? (int)asked[e.user_data].len : e.res;
		odd += e.res != (int)asked[e.user_data].len;
	}
}

static void plain(int flags, int file)
{
	for (int i = 0; i < N; i++)
		ring_add(&ring, request(i, i % 2 ? IORING_OP_READ : IORING_OP_WRITE, file, flags));
	ring_enter(&ring, N, 0, 0);
	take(N);
}

static bool has_operation(int opcode)
{
	char memory[sizeof(struct io_uring_probe) + 256 * sizeof(struct io_uring_probe_op)] = "";
	struct io_uring_probe *probe = (void *)memory;

	return !syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_PROBE, probe, 256) &&
		probe->last_op >= opcode && probe->ops[opcode].flags & IO_URING_OP_SUPPORTED;
}

static void buffers(void)
{
	static const int opcodes[] = { IORING_OP_READ_FIXED, IORING_OP_WRITE_FIXED, READV_FIXED,
				       WRITEV_FIXED };
	struct iovec all = { buf, sizeof(buf) }, halves[N][2];
	int kinds = has_operation(WRITEV_FIXED) ? 4 : 2;

	if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_BUFFERS, &all, 1))
		err(1, "IORING_REGISTER_BUFFERS");
	for (int i = 0; i < N; i++) {
		struct io_uring_sqe *sqe = request(i, opcodes[i % kinds], fd, 0);

		halves[i][0] = (struct iovec){ buf[i], SIZE / 2 };
		halves[i][1] = (struct iovec){ buf[i] + SIZE / 2, SIZE / 2 };
		if (i % kinds >= 2) {
			sqe->addr = (unsigned long)halves[i];
			sqe->len = 2;
		}
		ring_add(&ring, sqe);
	}
	ring_enter(&ring, N, 0, 0);
	take(N);
}

static void polled(void)
{
	for (int i = 0; i < N; i++) {
		ring_add(&ring, request(i, i % 2 ? IORING_OP_READ : IORING_OP_WRITE, direct, 0));
		if (__atomic_load_n(ring.flags, __ATOMIC_SEQ_CST) & IORING_SQ_NEED_WAKEUP)
			ring_enter(&ring, 1, 0, IORING_ENTER_SQ_WAKEUP);
	}
	take(N);
}

/* Submits chains of three reads. The second read of each chain fails. With IOSQE_IO_LINK, the
 * kernel then cancels the third one. With IOSQE_IO_HARDLINK, the third one runs. */
static void links(int link)
{
	for (int i = 0; i < N; i++)
		ring_add(&ring, request(i, IORING_OP_READ, fd, i % 3 == 2 ? 0 : link));
	for (int i = 1; i < N; i += 3)
		/* an invalid flag, so the kernel refuses the request */
		ring.sqes[i].rw_flags = 1 << 30;
	ring_enter(&ring, N, 0, 0);
	take(N);
}

/* Syncs the file by its descriptor, and the directory by its descriptor and as a registered file.
 * Every second request is a sync_file_range. */
static void sync_all(void)
{
	int directory = open(".", O_RDONLY | O_DIRECTORY);

	if (directory < 0)
		err(1, ".");
	if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, &directory, 1))
		err(1, "IORING_REGISTER_FILES");
	for (int i = 0; i < N; i++) {
		struct io_uring_sqe *sqe =
			request(i, i & 1 ? IORING_OP_SYNC_FILE_RANGE : IORING_OP_FSYNC,
				i % 3 == 0 ? fd : directory, 0);

		sqe->addr = sqe->len = sqe->off = 0;
		if (i % 3 == 2) {
			sqe->fd = 0;
			sqe->flags = IOSQE_FIXED_FILE;
		}
		ring_add(&ring, sqe);
	}
	ring_enter(&ring, N, 0, 0);
	take(N);
}

static void eof(void)
{
	for (int i = 0; i < N; i++) {
		request(i, IORING_OP_READ, fd, i % 3 ? 0 : IOSQE_ASYNC);
		asked[i].off = FILE_SIZE - SIZE + i * 512;
		ring_add(&ring, &asked[i]);
	}
	ring_enter(&ring, N, 0, 0);
	take(N);
}

/* Cancels reads that wait for the ring's only worker. On a single CPU, the worker may have already
 * ended all reads before the cancellation. Then the function tries again. */
static void cancel(void)
{
	unsigned workers[2] = { 1, 1 };

	syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_IOWQ_MAX_WORKERS, workers, 2);
	for (int tries = 0; !odd && tries < 100; tries++) {
		for (int i = 0; i < N; i++)
			ring_add(&ring, request(i, IORING_OP_READ, direct, IOSQE_ASYNC));
		other(IORING_OP_ASYNC_CANCEL, 0, 0,
		      IORING_ASYNC_CANCEL_ALL | IORING_ASYNC_CANCEL_ANY);
		ring_enter(&ring, N + 1, 0, 0);
		take(N);
	}
}

/* Submits a timeout of one minute, and @n reads linked to it. The reads wait for the timeout. */
static void hold(int n, bool one_user_data)
{
	static struct {
		long s, ns;
	} minute = { 60, 0 };

	other(IORING_OP_TIMEOUT, IOSQE_IO_LINK, (unsigned long)&minute, 0);
	for (int i = 0; i < n; i++)
		ring_add(&ring,
			 request(one_user_data ? 0 : i, IORING_OP_READ, fd,
				 i < n - 1 ? IOSQE_IO_LINK : 0));
	ring_enter(&ring, n + 1, 0, 0);
}

static void held(void)
{
	hold(N, false);
	usleep(20000);
	other(IORING_OP_ASYNC_CANCEL, 0, OTHER, 0);
	ring_enter(&ring, 1, 0, 0);
	take(N);
}

static void overflow(void)
{
	for (int i = 0; i < 2 * N; i++) {
		ring_add(&ring, request(i, IORING_OP_READ, fd, i % 3 ? 0 : IOSQE_ASYNC));
		ring_enter(&ring, 1, 0, 0);
	}
	/* After this pause, all requests have ended. The queue has room for cq_mask + 1 events.
	 * All other events are "odd". */
	usleep(200000);
	odd = 2 * N - (ring.cq_mask + 1);
	take(2 * N);
}

/* Makes reads that all have user_data 0. The queue has room for only 16 events, so the kernel must
 * keep most events back. */
static void same(void)
{
	struct io_uring_sqe *read = request(0, IORING_OP_READ, direct, 0);
	int flying = 0;

	for (int i = 0; i < MANY; i++) {
		while (ring_waiting(&ring) == ring.mask + 1)
			ring_enter(&ring, 0, 0, IORING_ENTER_SQ_WAIT | IORING_ENTER_SQ_WAKEUP);
		ring_add(&ring, read);
		if (__atomic_load_n(ring.flags, __ATOMIC_SEQ_CST) & IORING_SQ_NEED_WAKEUP)
			ring_enter(&ring, 1, 0, IORING_ENTER_SQ_WAKEUP);
		if (++flying == FLYING) {
			take(FLYING / 2);
			flying -= FLYING / 2;
		}
	}
	while (ring_waiting(&ring))
		ring_enter(&ring, 0, 0, IORING_ENTER_SQ_WAKEUP);
	odd = MANY;
}

static void same_to_the_end(void)
{
	same();
	take(MANY - reads.requests);
}

static void storm_once(void)
{
	/* The queue has room for only a part of the following events. Most events come from closes,
	 * which fail with a result that no read can have. The last events come from no-ops, and
	 * look like events of the held reads. */
	struct io_uring_sqe close = { .opcode = IORING_OP_CLOSE, .fd = -1 };
	struct io_uring_sqe nop = { .opcode = IORING_OP_NOP };

	ring_open(&ring, STORM, 0);
	hold(FLYING, true);
	for (int i = 0; i < 5; i++) {
		for (int k = 0; k < STORM; k++)
			ring_add(&ring, i < 4 ? &close : &nop);
		ring_enter(&ring, STORM, 0, 0);
	}
	kill(getpid(), SIGKILL);
}

static void storm(void)
{
	char line[16];

	while (fgets(line, sizeof(line), stdin)) {
		pid_t child = fork();

		if (child < 0)
			err(1, "fork");
		if (!child)
			storm_once();
		waitpid(child, NULL, 0);
		puts("done");
		fflush(stdout);
	}
}

static void register_slots(void)
{
	int empty[N];

	memset(empty, -1, sizeof(empty));
	if (syscall(SYS_io_uring_register, ring.fd, IORING_REGISTER_FILES, empty, N))
		err(1, "io_uring_register");
}

/* Fetches the completion events of @want requests, and counts those that failed. The kernel refuses
 * these requests, so iospan must not count them as accesses. */
static void take_failures(int want)
{
	struct io_uring_cqe e;

	while (want) {
		if (!ring_event(&ring, &e)) {
			ring_enter(&ring, 0, 1, 0);
			continue;
		}
		want--;
		odd += e.res < 0;
	}
}

static void refused(void)
{
	static const struct {
		int opcode, fd, flags;
	} bad[] = {
		{ IORING_OP_READ, 3, IOSQE_FIXED_FILE }, /* no file is registered in slot 3 */
		{ IORING_OP_WRITE, 3, IOSQE_FIXED_FILE | IOSQE_ASYNC },
		{ IORING_OP_FSYNC, 3, IOSQE_FIXED_FILE },
		{ IORING_OP_READ, 3, IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS },
		{ IORING_OP_READ, N, IOSQE_FIXED_FILE }, /* the table of files has no slot N */
		{ IORING_OP_READ, -1, 0 },
		{ IORING_OP_WRITE, 999, IOSQE_ASYNC },
		{ 250, 3, IOSQE_FIXED_FILE },
		{ IORING_OP_READ, 3, 1 << 7 }, /* no such flag exists */
		{ IORING_OP_READ, 3, IOSQE_FIXED_FILE | IOSQE_IO_LINK },
		/* cancelled by the kernel, because the previous request fails */
		{ IORING_OP_READ, 3, IOSQE_FIXED_FILE },
	};
	int n = sizeof(bad) / sizeof(*bad);

	register_slots();
	for (int i = 0; i < 10 * n; i++) {
		request(0, bad[i % n].opcode, bad[i % n].fd, bad[i % n].flags);
		if (bad[i % n].opcode == IORING_OP_FSYNC)
			asked[0].addr = asked[0].len = asked[0].off = 0;
		ring_add(&ring, &asked[0]);
		/* If a request cannot start, io_uring_enter() does not submit the requests after
		 * it. So the test submits the requests one by one. The linked pair is submitted
		 * together. */
		if (!(bad[i % n].flags & IOSQE_IO_LINK)) {
			ring_enter(&ring, 2, 0, 0);
			take_failures(bad[(i + n - 1) % n].flags & IOSQE_IO_LINK ? 2 : 1);
		}
	}
}

static void late(const char *path)
{
	register_slots();
	for (int i = 0; i < N; i++) {
		struct io_uring_sqe open = {
			.opcode = IORING_OP_OPENAT,
			.flags = IOSQE_IO_LINK,
			.fd = AT_FDCWD,
			.addr = (unsigned long)path,
			.open_flags = O_RDONLY,
			.file_index = i + 1,
			.user_data = OTHER,
		};

		ring_add(&ring, &open);
		ring_add(&ring, request(i, IORING_OP_READ, i, IOSQE_FIXED_FILE));
		ring_enter(&ring, 2, 0, 0);
	}
	odd = N;
	take(N);
}

static void both(int flags)
{
	plain(flags, direct);
	plain(flags, fd);
}

int main(int argc, char **argv)
{
	const char *mode = argc == 3 ? argv[1] : "";
	long start = now_ns();

	fd = open(argv[argc - 1], O_RDWR);
	direct = open(argv[argc - 1], O_RDWR | O_DIRECT);
	if (fd < 0 || direct < 0)
		err(1, "%s", argv[argc - 1]);
	if (!strcmp(mode, "polled"))
		ring_open(&ring, 64, IORING_SETUP_SQPOLL);
	else if (!strcmp(mode, "same") || !strcmp(mode, "leave"))
		ring_open(&ring, 8, IORING_SETUP_SQPOLL);
	else
		ring_open(&ring, strcmp(mode, "overflow") ? 64 : 4, 0);
	if (!strcmp(mode, "inline"))
		both(0);
	else if (!strcmp(mode, "async"))
		both(IOSQE_ASYNC);
	else if (!strcmp(mode, "buffers"))
		buffers();
	else if (!strcmp(mode, "polled"))
		polled();
	else if (!strcmp(mode, "links"))
		links(IOSQE_IO_LINK);
	else if (!strcmp(mode, "hardlinks"))
		links(IOSQE_IO_HARDLINK);
	else if (!strcmp(mode, "sync"))
		sync_all();
	else if (!strcmp(mode, "eof"))
		eof();
	else if (!strcmp(mode, "cancel"))
		cancel();
	else if (!strcmp(mode, "held"))
		held();
	else if (!strcmp(mode, "overflow"))
		overflow();
	else if (!strcmp(mode, "same"))
		same_to_the_end();
	else if (!strcmp(mode, "leave"))
		same();
	else if (!strcmp(mode, "storm"))
		storm();
	else if (!strcmp(mode, "refused"))
		refused();
	else if (!strcmp(mode, "late"))
		late(argv[2]);
	else if (!strcmp(mode, "exit"))
		hold(N, false), odd = N;
	else
		errx(2, "usage: rings MODE FILE");
	printf("{\"read\": [%ld, %ld, %ld], \"write\": [%ld, %ld, %ld], "
	       "\"sync\": [%ld, %ld, %ld], \"odd\": %ld, \"at_most_ns\": %ld}\n",
	       reads.requests, reads.bytes, reads.errors, writes.requests, writes.bytes,
	       writes.errors, syncs.requests, syncs.bytes, syncs.errors, odd,
	       (long)(now_ns() - start));
	return 0;
}
