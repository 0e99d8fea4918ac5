// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads in which requests end in unusual ways:
 *
 *	corners destroy FILE	libaio reads; destroys their context without fetching their
 *				events; then idles
 *	corners skip FILE	io_uring reads that request no completion event; idles after each
 *	corners moves FILE DIR	threads that read while the process moves to the cgroup DIR, and
 *				continue there; prints for how many ns they continue after the
 *				last read that may have started before the move
 *	corners huge FILE	system calls that read 2^64 - 1 bytes, and fail
 *	corners huge-ring FILE	io_uring reads of 2^32 - 1 bytes, which fail
 *	corners fetch FILE [DIR]
 *				the first thread of a process submits libaio reads, moves the
 *				process to the cgroup DIR, and exits; then another thread calls
 *				io_destroy(0), which fails, and fetches the events of the reads
 *	corners absent FILE	libaio reads with control blocks that are not in memory, and one
 *				without a control block, which fails
 *	corners leave FILE	the last thread of a process submits libaio reads and exits without
 *				fetching their events; the process idles as a zombie
 */
#include <err.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kernel/raw-ring.h"
#include "user/base/clock.h"

#define READS 5
#define SIZE 4096
#define IDLE_US 100000

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* Writes a control block for a read of @fd to each of @cbs, and its address to @list. */
static void prepare(struct iocb cbs[READS], struct iocb *list[READS], int fd)
{
	static char buf[READS][SIZE];

	for (int i = 0; i < READS; i++) {
		cbs[i] = (struct iocb){};
		cbs[i].aio_lio_opcode = IOCB_CMD_PREAD;
		cbs[i].aio_fildes = fd;
		cbs[i].aio_buf = (unsigned long)buf[i];
		cbs[i].aio_nbytes = SIZE;
		list[i] = &cbs[i];
	}
}

static aio_context_t aio_reads(int fd)
{
	struct iocb cbs[READS], *list[READS];
	aio_context_t ring = 0;

	prepare(cbs, list, fd);
	if (syscall(SYS_io_setup, READS, &ring))
		err(1, "io_setup");
	if (syscall(SYS_io_submit, ring, READS, list) != READS)
		err(1, "io_submit");
	return ring;
}

/* The control blocks are in a page of the file @path. madvise() removes the page from the page
 * table of the process, but not from the page cache. So a BPF program cannot read the control
 * blocks, but the kernel can. */
static void absent(const char *path)
{
	int fd = open(path, O_RDWR);
	struct iocb *list[READS + 1] = {},
				  *cbs = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
					      0);
	struct io_event events[READS];
	aio_context_t ring = 0;

	if (cbs == MAP_FAILED || syscall(SYS_io_setup, READS + 1, &ring))
		err(1, "%s", path);
	prepare(cbs, list, fd);
	if (madvise(cbs, SIZE, MADV_DONTNEED))
		err(1, "madvise");
	if (syscall(SYS_io_submit, ring, READS + 1, list) != READS ||
	    syscall(SYS_io_getevents, ring, READS, READS, events, NULL) != READS)
		err(1, "io_submit");
}

static void destroy(int fd)
{
	syscall(SYS_io_destroy, aio_reads(fd));
	usleep(READS * IDLE_US);
}

static void move_to(const char *dir)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%d", getpid()) < 0 || fclose(f))
		err(1, "%s", path);
}

/* Returns true if the first thread is a zombie. Then the tracepoint sched_process_exit has run. */
static bool first_thread_is_dead(void)
{
	char state = 0;
	FILE *f = fopen("/proc/self/stat", "r");

	if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		err(1, "/proc/self/stat");
	fclose(f);
	return state == 'Z';
}

/* libaio context of the first thread's reads; 0 if the first thread makes no reads (leave) */
static aio_context_t held;

static void *outlive(void *fd)
{
	struct io_event events[READS];

	while (!first_thread_is_dead())
		usleep(1000);
	if (!held)
		aio_reads((intptr_t)fd);
	else if (!syscall(SYS_io_destroy, 0L))
		errx(1, "io_destroy of no context");
	else if (syscall(SYS_io_getevents, held, READS, READS, events, NULL) != READS)
		err(1, "io_getevents");
	_exit(0);
}

/* Runs a child with two threads. With @fetch, the first thread submits reads and exits. Then the
 * other thread fetches their events. If @dir is not NULL, the process moves to this cgroup in
 * between. Without @fetch, the first thread exits at once. Then the other thread submits reads, and
 * exits without fetching their events. */
static void leave(int fd, bool fetch, const char *dir)
{
	pid_t child = fork();
	pthread_t t;

	if (child < 0)
		err(1, "fork");
	if (!child) {
		if (fetch)
			held = aio_reads(fd);
		if (dir)
			move_to(dir);
		if (pthread_create(&t, NULL, outlive, (void *)(intptr_t)fd))
			errx(1, "no thread");
		pthread_exit(NULL);
	}
	if (waitid(P_PID, child, NULL, WEXITED | WNOWAIT))
		err(1, "waitid");
	usleep(READS * IDLE_US);
	if (waitpid(child, NULL, 0) != child)
		err(1, "waitpid");
}

static void ring_submit(struct ring *r, const struct io_uring_sqe *sqe)
{
	ring_add(r, sqe);
	ring_enter(r, 1, 0, 0);
}

static void skip(int fd)
{
	static char buf[SIZE];
	struct io_uring_sqe sqe = {
		.opcode = IORING_OP_READ,
		.flags = IOSQE_CQE_SKIP_SUCCESS,
		.fd = fd,
		.addr = (unsigned long)buf,
		.len = SIZE,
	}, nop = { .opcode = IORING_OP_NOP };
	struct ring r;

	ring_open(&r, 64, 0);
	for (int i = 0; i < READS; i++) {
		ring_submit(&r, &sqe);
		usleep(IDLE_US);
		ring_submit(&r, &nop);
	}
}

static volatile int stop, moved;

static atomic_int reading; /* number of threads that have read */

/* Returns the time at which the last read ended that may have started before the move. */
static void *read_on(void *path)
{
	static __thread char buf[1 << 16];
	int fd = open_file(path);
	long ended_ns = 0;

	while (!stop) {
		int before = !moved;

		if (pread(fd, buf, sizeof(buf), 0) < 0)
			err(1, "pread");
		if (before && !ended_ns)
			reading++;
		if (before)
			ended_ns = now_ns();
	}
	close(fd);
	return (void *)ended_ns;
}

static void moves(const char *path, const char *dir)
{
	long stopped_ns, last_ns = 0;
	pthread_t t[4];
	void *ended;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, read_on, (void *)path);
	while (reading < 4)
		usleep(IDLE_US);
	move_to(dir);
	moved = 1;
	usleep(READS * IDLE_US);
	stopped_ns = now_ns();
	stop = 1;
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &ended);
		if ((long)ended > last_ns)
			last_ns = (long)ended;
	}
	printf("%ld\n", stopped_ns - last_ns);
}

static void huge(int fd)
{
	static char buf[SIZE];
	/* volatile, because the compiler would reject a constant of this size */
	volatile size_t all = SIZE_MAX;

	const struct iovec iov[] = { { buf, all }, { buf, all } };

	for (int i = 0; i < READS; i++)
		if (read(fd, buf, all) >= 0 || pread(fd, buf, all, 0) >= 0 ||
		    readv(fd, iov, 2) >= 0 || preadv(fd, iov, 2, 0) >= 0)
			errx(1, "a read of 2^64 - 1 bytes did not fail");
}

/* Makes reads of a file that is open only for writing. They fail when the kernel executes them. */
static void huge_ring(const char *path)
{
	struct io_uring_sqe sqe = { .opcode = IORING_OP_READ, .len = UINT32_MAX };
	struct ring r;

	sqe.fd = open(path, O_WRONLY);
	if (sqe.fd < 0)
		err(1, "%s", path);
	ring_open(&r, 64, 0);
	for (int i = 0; i < READS; i++)
		ring_submit(&r, &sqe);
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "moves"))
		moves(argv[2], argv[3]);
	else if (argc == 3 && !strcmp(argv[1], "destroy"))
		destroy(open_file(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "skip"))
		skip(open_file(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "huge"))
		huge(open_file(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "huge-ring"))
		huge_ring(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "absent"))
		absent(argv[2]);
	else if (argc >= 3 && (!strcmp(argv[1], "fetch") || !strcmp(argv[1], "leave")))
		leave(open_file(argv[2]), argv[1][0] == 'f', argv[3]);
	else
		errx(2,
		     "usage: corners destroy|skip|huge|huge-ring|absent|leave FILE, "
		     "corners fetch FILE [DIR], corners moves FILE DIR");
	return 0;
}
