// SPDX-License-Identifier: GPL-2.0-or-later
/* Simulates a disk with known times, which keeps no data:
 *
 *   model-disk NBD MIB REQUEST_US FAR_US MIB_PER_S
 *
 * NBD is the path of a network block device. The program serves it until it is killed, one request
 * after the other. A request takes REQUEST_US, plus the time of its bytes at MIB_PER_S. If the
 * request does not start at the end of the previous request, it also takes FAR_US. MIB is the size
 * of the disk. */
#include <endian.h>
#include <err.h>
#include <fcntl.h>
#include <linux/nbd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define MIB (1 << 20)
#define MOST (16 * MIB) /* size of the largest possible request in bytes */

struct disk {
	int64_t request_ns, far_ns;
	double ns_per_byte;
	uint64_t end; /* offset of the end of the previous request, in bytes */
	int64_t idle_at;
};

static char data[MOST];

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	const struct timespec t = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void take(int fd, void *to, size_t size)
{
	if (recv(fd, to, size, MSG_WAITALL) != (ssize_t)size)
		exit(0);
}

static void give(int fd, const void *from, size_t size)
{
	for (ssize_t n; size; from = (const char *)from + n, size -= n) {
		n = write(fd, from, size);
		if (n < 0)
			err(1, "write");
	}
}

static void serve(struct disk *d, int fd)
{
	struct nbd_reply reply = { .magic = htobe32(NBD_REPLY_MAGIC) };
	struct nbd_request request;
	uint64_t from;
	uint32_t size, type;
	int64_t begin;

	take(fd, &request, sizeof(request));
	begin = now();
	from = be64toh(request.from);
	size = be32toh(request.len);
	type = be32toh(request.type) & 0xffff;
	if (type == NBD_CMD_DISC || size > MOST)
		exit(type != NBD_CMD_DISC);
	if (type == NBD_CMD_WRITE)
		take(fd, data, size);
	begin = begin > d->idle_at ? begin : d->idle_at;
	d->idle_at =
		begin + d->request_ns + (from == d->end ? 0 : d->far_ns) + size * d->ns_per_byte;
	d->end = from + size;
	sleep_until(d->idle_at);
	memcpy(reply.handle, request.handle, sizeof(reply.handle));
	give(fd, &reply, sizeof(reply));
	if (type == NBD_CMD_READ)
		give(fd, data, size);
}

/* Connects the device @path with the socket @fd. Opens the device read-only, because a writable
 * descriptor would conflict with programs that open the device exclusively. */
static void attach(const char *path, long mib, int fd)
{
	int disk = open(path, O_RDONLY);

	if (disk < 0)
		err(1, "%s", path);
	if (ioctl(disk, NBD_SET_BLKSIZE, (long)BLOCK) ||
	    ioctl(disk, NBD_SET_SIZE_BLOCKS, mib * (MIB / BLOCK)) || ioctl(disk, NBD_SET_SOCK, fd))
		err(1, "%s", path);
	ioctl(disk, NBD_DO_IT);
	ioctl(disk, NBD_CLEAR_SOCK);
}

int main(int argc, char **argv)
{
	struct disk d;
	int ends[2];

	if (argc != 6)
		errx(2, "usage: model-disk NBD MIB REQUEST_US FAR_US MIB_PER_S");
	d = (struct disk){ .request_ns = atol(argv[3]) * 1000,
			   .far_ns = atol(argv[4]) * 1000,
			   .ns_per_byte = 1e9 / MIB / atof(argv[5]) };
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		err(1, "socketpair");
	prctl(PR_SET_TIMERSLACK, 1);
	if (!fork()) {
		close(ends[0]);
		attach(argv[1], atol(argv[2]), ends[1]);
		return 0;
	}
	close(ends[1]);
	for (;;)
		serve(&d, ends[0]);
}
