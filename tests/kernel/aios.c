// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes libaio requests by system calls, on a file or block device of 1 MiB:
 *
 *   aios FILE [N [VECTORS [CALLS]]]
 *
 * Without N, makes requests of all kinds. With N, submits N reads by one io_submit() and fetches
 * their events by one io_getevents(). Does so CALLS times, by default once. If CALLS is 0, exits
 * after the submission. Each read has VECTORS vectors (default: 1) of one byte. Prints the sums of
 * the requests. A failed request counts with the bytes that it requested:
 *
 *   {"read": [requests, bytes, errors], "write": [...], "sync": [...]} */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIZE 4096
#define N 16
#define FILE_SIZE (1 << 20)
#define VECTORS 19
#define VECTORS_SIZE (VECTORS * 512)

enum { READ, WRITE, SYNC, OPS };
static struct sum {
	long requests, bytes, errors;
} sums[OPS];

static char buf[N][SIZE] __attribute__((aligned(SIZE)));
static struct iovec iov[VECTORS];
static struct iocb cbs[N], *list[N + 1];
static aio_context_t ring;
static int fd, directory;

static struct iocb *prepare(int i, int opcode, int file, long offset)
{
	cbs[i] = (struct iocb){
		.aio_data = i,
		.aio_lio_opcode = opcode,
		.aio_fildes = file,
		.aio_buf = (unsigned long)buf[i],
		.aio_nbytes = SIZE,
		.aio_offset = offset,
	};
	if (opcode == IOCB_CMD_PREADV || opcode == IOCB_CMD_PWRITEV) {
		cbs[i].aio_buf = (unsigned long)iov;
		cbs[i].aio_nbytes = VECTORS;
	}
	if (opcode == IOCB_CMD_FSYNC || opcode == IOCB_CMD_FDSYNC)
		cbs[i].aio_buf = cbs[i].aio_nbytes = cbs[i].aio_offset = 0;
	return list[i] = &cbs[i];
}

/* Submits the requests 0 to @n - 1, and fetches their events. The kernel must accept the first
 * @taken requests. If @taken is -1, the kernel must refuse the call. */
static void run(long n, int taken)
{
	struct io_event e[N];

	if (syscall(SYS_io_submit, ring, n, list) != taken)
		err(1, "io_submit");
	if (taken > 0 && syscall(SYS_io_getevents, ring, taken, taken, e, NULL) != taken)
		err(1, "io_getevents");
	for (int i = 0; i < taken; i++) {
		const struct iocb *cb = &cbs[e[i].data];
		bool vectors = cb->aio_nbytes == VECTORS;
		int op = cb->aio_lio_opcode;
		struct sum *to =
			&sums[op == IOCB_CMD_PREAD || op == IOCB_CMD_PREADV	      ? READ :
				      op == IOCB_CMD_PWRITE || op == IOCB_CMD_PWRITEV ? WRITE :
											SYNC];

		to->requests++;
		to->errors += e[i].res < 0;
		to->bytes += e[i].res >= 0 ? e[i].res :
			vectors		   ? VECTORS_SIZE :
					     (long)cb->aio_nbytes;
	}
}

/* Tries to cancel reads by io_cancel(). The kernel cannot cancel a request on a file, so the reads
 * still end, and must count. */
static void cancel(void)
{
	struct io_event e;

	for (int i = 0; i < 3; i++)
		prepare(i, IOCB_CMD_PREAD, fd, i * SIZE);
	if (syscall(SYS_io_submit, ring, 3, list) != 3)
		err(1, "io_submit");
	for (int i = 0; i < 3; i++) {
		if (!syscall(SYS_io_cancel, ring, &cbs[i], &e))
			errx(1, "a read was cancelled");
		if (syscall(SYS_io_getevents, ring, 1, 1, &e, NULL) != 1 || e.res != SIZE)
			err(1, "io_getevents");
		sums[READ].requests++;
		sums[READ].bytes += SIZE;
	}
}

/* Calls io_submit() with impossible numbers of requests. The kernel must refuse the call, or
 * accept only the three requests before the invalid pointer list[3]. */
static void absurd(void)
{
	for (int i = 0; i < 3; i++)
		prepare(i, IOCB_CMD_PREAD, fd, i * SIZE);
	list[3] = (struct iocb *)8;
	run(-1, -1);
	run(LONG_MIN, -1);
	run(1L << 32 | 3, 3);
	run(LONG_MAX, 3);
	if (!syscall(SYS_io_submit, 0, LONG_MAX, list) || !syscall(SYS_io_submit, 0, 3, list))
		errx(1, "io_submit without a context");
}

/* Submits @n buffered reads by one call. The reads end in the order of the submission. With @fetch,
 * fetches their events; otherwise, exits. */
static void many(const char *path, long n, long vectors, bool fetch)
{
	struct io_event *events = calloc(n, sizeof(*events));
	struct iocb *all = calloc(n, sizeof(*all)), **each = calloc(n, sizeof(*each));
	struct iovec *v = calloc(vectors, sizeof(*v));
	int file = open(path, O_RDONLY);

	ring = 0;
	if (!events || !all || !each || !v || file < 0 || syscall(SYS_io_setup, n, &ring))
		err(1, "%s", path);
	for (long i = 0; i < vectors; i++)
		v[i] = (struct iovec){ buf[0], 1 };
	for (long i = 0; i < n; i++) {
		all[i] = (struct iocb){ .aio_lio_opcode = IOCB_CMD_PREADV,
					.aio_fildes = file,
					.aio_buf = (unsigned long)v,
					.aio_nbytes = vectors };
		each[i] = &all[i];
	}
	if (syscall(SYS_io_submit, ring, n, each) != n ||
	    (fetch && syscall(SYS_io_getevents, ring, n, n, events, NULL) != n))
		err(1, "%ld requests", n);
	if (!fetch)
		exit(0);
	sums[READ].requests += n;
	sums[READ].bytes += n * vectors;
	syscall(SYS_io_destroy, ring);
	close(file);
	free(events);
	free(all);
	free(each);
	free(v);
}

static void print(void)
{
	static const char *const names[] = { "read", "write", "sync" };

	for (int op = 0; op < OPS; op++)
		printf("%s\"%s\": [%ld, %ld, %ld]", op ? ", " : "{", names[op], sums[op].requests,
		       sums[op].bytes, sums[op].errors);
	printf("}\n");
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		long vectors = argc > 3 ? atol(argv[3]) : 1, calls = argc > 4 ? atol(argv[4]) : 1;

		for (long i = 0; i < calls || !calls; i++)
			many(argv[1], atol(argv[2]), vectors, calls);
		print();
		return 0;
	}
	if (argc != 2)
		errx(2, "usage: aios FILE [N [VECTORS [CALLS]]]");
	fd = open(argv[1], O_RDWR | O_DIRECT);
	if (fd < 0)
		err(1, "%s", argv[1]);
	directory = open("/tmp", O_RDONLY | O_DIRECTORY);
	if (directory < 0)
		err(1, "/tmp");
	if (syscall(SYS_io_setup, N, &ring))
		err(1, "io_setup");
	for (int i = 0; i < VECTORS; i++)
		iov[i] = (struct iovec){ buf[i % N], 512 };
	for (int i = 0; i < N; i++)
		prepare(i, i % 2 ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE, fd, i * SIZE);
	run(N, N);
	prepare(0, IOCB_CMD_FSYNC, fd, 0);
	prepare(1, IOCB_CMD_FDSYNC, fd, 0);
	prepare(2, IOCB_CMD_PREADV, fd, 512 * 3);
	prepare(3, IOCB_CMD_PWRITEV, fd, 512 * 5);
	run(4, 4);
	prepare(0, IOCB_CMD_FSYNC, directory, 0);
	prepare(1, IOCB_CMD_FDSYNC, directory, 0);
	run(2, 2);
	/* starts at the end of the file, so it transfers 0 bytes */
	prepare(0, IOCB_CMD_PREAD, fd, FILE_SIZE);
	/* crosses the end of the file, so it transfers 512 bytes */
	prepare(1, IOCB_CMD_PREAD, fd, FILE_SIZE - 512);
	/* fails, because direct I/O needs an aligned offset */
	prepare(2, IOCB_CMD_PWRITE, fd, 7);
	prepare(3, IOCB_CMD_PWRITEV, fd, 7);
	run(4, 4);
	prepare(0, IOCB_CMD_PREAD, fd, 0);
	prepare(1, IOCB_CMD_PREAD, -1, 0);
	prepare(2, IOCB_CMD_PREAD, fd, 0);
	run(3, 1);
	absurd();
	cancel();
	print();
	return 0;
}
