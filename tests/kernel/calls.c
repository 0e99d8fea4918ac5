// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes every system call that moves bytes of a file or syncs it, also failing ones:
 *
 *   calls FILE NEW ELSEWHERE
 *
 * Reads FILE, and writes to NEW and to ELSEWHERE, which is on another file system. Prints the sums
 * of the calls. A failed call counts with the bytes that it requested. "again" counts EAGAIN
 * errors:
 *
 *   {"read": [calls, bytes, errors], "write": [...], "sync": [...], "again": errors} */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIZE 4096

enum { READ, WRITE, SYNC, OPS };
static struct sum {
	long calls, bytes, errors;
} sums[OPS];
static long again;

static char *buf, *nowhere; /* nowhere: memory without access rights, so that calls fail */
static struct iovec iov[3];

static void add(int op, long ret, long asked)
{
	sums[op].calls++;
	sums[op].bytes += ret >= 0 ? ret : asked;
	sums[op].errors += ret < 0;
	again += ret < 0 && errno == EAGAIN;
}

/* Adds a call that copies between files. It counts as a read and a write. If it fails, iospan
 * counts no bytes. */
static void add_copy(long ret)
{
	add(READ, ret, 0);
	add(WRITE, ret, 0);
}

static void add_sync(long ret)
{
	add(SYNC, ret < 0 ? ret : 0, 0);
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void reads(int fd, int direct, int write_only)
{
	volatile int refused[] = { -1, 1025 }; /* numbers of iovecs that the kernel refuses */

	add(READ, read(fd, buf, SIZE), SIZE);
	add(READ, pread(fd, buf, 100, 7), 100);
	add(READ, pread(direct, buf, SIZE, 0), SIZE);
	add(READ, readv(fd, iov, 3), 2 * SIZE);
	add(READ, preadv(fd, iov, 2, 77), SIZE + 100);
	add(READ, preadv2(fd, iov, 3, 99, 0), 2 * SIZE);
	add(READ, preadv2(direct, iov, 1, 0, RWF_HIPRI), SIZE);
	/* beyond the end of the file, so it reads 0 bytes */
	add(READ, pread(fd, buf, SIZE, 1L << 40), SIZE);
	/* the following calls fail, each for another reason */
	add(READ, pread(write_only, buf, SIZE, 0), SIZE);
	add(READ, pread(fd, nowhere, 123, 0), 123);
	add(READ, preadv(fd, iov, 3, -1), 2 * SIZE);
	add(READ, preadv(fd, iov, refused[0], 0), 0);
	add(READ, preadv(fd, iov, refused[1], 0), 0);
	add(READ, pread(direct, buf, 100, 1), 100);
	/* drops the cached pages, so that a read with RWF_NOWAIT fails with EAGAIN */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	add(READ, preadv2(fd, iov, 1, 512 << 10, RWF_NOWAIT), SIZE);
}

static void writes(int fd, int direct, int read_only)
{
	add(WRITE, write(fd, buf, SIZE), SIZE);
	add(WRITE, pwrite(fd, buf, 1000, 3), 1000);
	add(WRITE, pwrite(direct, buf, SIZE, 0), SIZE);
	add(WRITE, writev(fd, iov, 3), 2 * SIZE);
	add(WRITE, pwritev(fd, iov, 2, 0), SIZE + 100);
	add(WRITE, pwritev2(fd, iov, 1, 0, RWF_DSYNC), SIZE);
	add(WRITE, pwritev2(fd, iov, 3, 0, RWF_APPEND), 2 * SIZE);
	add(WRITE, pwritev2(fd, iov, 3, -1, RWF_SYNC), 2 * SIZE);
	add(WRITE, pwritev2(direct, iov, 1, 0, RWF_HIPRI), SIZE);
	add(WRITE, pwrite(read_only, buf, 10, 0), 10);
}

static void copies(int from, int to, int elsewhere, int pipes[2])
{
	off_t at = 0;
	loff_t in = 0, out = 0;
	int copy[2];

	if (pipe(copy))
		err(1, "pipe");
	add(READ, splice(from, &in, pipes[1], NULL, SIZE, 0), 0);
	/* tee() only copies between pipes, so it does not count */
	if (tee(pipes[0], copy[1], SIZE, 0) != SIZE)
		err(1, "tee");
	add(WRITE, splice(pipes[0], NULL, to, &out, SIZE, 0), 0);
	add_copy(sendfile(to, from, &at, 3 * SIZE));
	add(READ, sendfile(pipes[1], from, &at, SIZE), 0);
	add(WRITE, splice(pipes[0], NULL, elsewhere, NULL, SIZE, 0), 0);
	in = out = 0;
	add_copy(copy_file_range(from, &in, to, &out, 5 * SIZE, 0));
	in = out = 0;
	add_copy(copy_file_range(from, &in, elsewhere, &out, 2 * SIZE, 0));
	add_copy(copy_file_range(from, &in, from, &in, SIZE, 1)); /* this flag is invalid */
}

/* Syncs a directory. No bytes are counted, but the caller waits for storage. */
static void directory_syncs(const char *path)
{
	int fd = open_file(path, O_RDONLY | O_DIRECTORY), fifo[2];

	add_sync(fsync(fd));
	add_sync(fdatasync(fd));
	add_sync(sync_file_range(fd, 0, SIZE, SYNC_FILE_RANGE_WRITE));
	add_sync(syncfs(fd));
	if (pipe(fifo))
		err(1, "pipe");
	/* syncfs() accepts any descriptor, even that of a pipe, so this call counts, too */
	add_sync(syncfs(fifo[0]));
	close(fd);
}

static void syncs(int fd)
{
	char *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		err(1, "mmap");
	add_sync(fsync(fd));
	add_sync(fdatasync(fd));
	add_sync(sync_file_range(fd, 0, SIZE, SYNC_FILE_RANGE_WRITE));
	add_sync(sync_file_range(fd, -1, SIZE, 0));
	add_sync(syncfs(fd));
	add_sync(msync(map, SIZE, MS_SYNC));
	sync();
	add_sync(0);
}

/* Makes calls that must not count: calls on special files, on a directory, and on an invalid
 * descriptor. */
static void others(int pipes[2])
{
	int zero = open_file("/dev/zero", O_RDONLY), dir = open_file("/", O_RDONLY);
	int proc = open_file("/proc/self/stat", O_RDONLY), procs = open_file("/proc", O_RDONLY);

	if (read(zero, buf, SIZE) != SIZE || write(pipes[1], buf, SIZE) != SIZE ||
	    read(pipes[0], buf, SIZE) != SIZE || read(dir, buf, SIZE) >= 0 ||
	    read(proc, buf, SIZE) <= 0 || read(-1, buf, SIZE) >= 0 || !fsync(procs) || !fsync(zero))
		errx(1, "odd descriptors");
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "read", "write", "sync" };
	int from, to, elsewhere, direct, direct_to, pipes[2];

	if (argc != 4)
		errx(2, "usage: calls FILE NEW ELSEWHERE");
	buf = aligned_alloc(SIZE, 2 * SIZE);
	memset(buf, 1, 2 * SIZE);
	nowhere = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	iov[0] = (struct iovec){ buf, SIZE };
	iov[1] = (struct iovec){ buf + SIZE, 100 };
	iov[2] = (struct iovec){ buf + SIZE + 100, SIZE - 100 };
	from = open_file(argv[1], O_RDONLY);
	to = open_file(argv[2], O_RDWR | O_CREAT);
	elsewhere = open_file(argv[3], O_WRONLY | O_CREAT);
	direct = open_file(argv[1], O_RDONLY | O_DIRECT);
	direct_to = open_file(argv[2], O_WRONLY | O_DIRECT);
	if (pipe(pipes))
		err(1, "pipe");
	others(pipes);
	reads(from, direct, elsewhere);
	writes(to, direct_to, from);
	copies(from, to, elsewhere, pipes);
	syncs(to);
	directory_syncs(dirname(argv[2]));
	for (int op = 0; op < OPS; op++)
		printf("%s\"%s\": [%ld, %ld, %ld]", op ? ", " : "{", names[op], sums[op].calls,
		       sums[op].bytes, sums[op].errors);
	printf(", \"again\": %ld}\n", again);
	return 0;
}
