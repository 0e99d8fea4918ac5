// SPDX-License-Identifier: GPL-2.0-or-later
/* idle-ring FILE: reads 4 KiB of FILE with direct I/O and prints "idle". Then it reads an empty
 * pipe by io_uring. This read does not end until a signal ends the program. */
#include <err.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECT) : -1, ends[2];
	struct io_uring_cqe *cqe;
	struct io_uring ring;
	void *buffer;
	char byte;

	if (fd < 0 || posix_memalign(&buffer, 4096, 4096) || pread(fd, buffer, 4096, 0) != 4096)
		err(1, "cannot read");
	if (pipe(ends) || io_uring_queue_init(1, &ring, 0))
		err(1, "cannot make a ring");
	io_uring_prep_read(io_uring_get_sqe(&ring), ends[0], &byte, 1, 0);
	if (io_uring_submit(&ring) != 1)
		err(1, "cannot submit");
	puts("idle");
	fflush(stdout);
	return io_uring_wait_cqe(&ring, &cqe);
}
