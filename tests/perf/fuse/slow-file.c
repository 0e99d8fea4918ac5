// SPDX-License-Identifier: GPL-2.0-or-later
/* Serves one file, "disk", by FUSE, with the times of a simulated disk:
 *
 *   slow-file MIB LATENCY_US MIB_PER_S MOUNT_POINT
 *
 * The disk transfers the bytes of one request after the other, at MIB_PER_S. A request ends
 * LATENCY_US after its transfer. During this latency, the disk may transfer other requests. MIB is
 * the size of the file. Its content is in memory. */
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fuse.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NAME "/disk"
#define MIB (1 << 20)
#define NS_PER_S 1000000000LL

static struct {
	off_t bytes;
	int64_t latency_ns;
	double ns_per_byte;
	char *data;
	int64_t idle_at; /* end of the last transfer */
	pthread_mutex_t lock;
} disk = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void serve(size_t bytes)
{
	int64_t start = now(), end;
	struct timespec until;

	pthread_mutex_lock(&disk.lock);
	if (disk.idle_at > start)
		start = disk.idle_at;
	disk.idle_at = start + bytes * disk.ns_per_byte;
	end = disk.idle_at + disk.latency_ns;
	pthread_mutex_unlock(&disk.lock);
	until = (struct timespec){ end / NS_PER_S, end % NS_PER_S };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

static int get_attributes(const char *path, struct stat *st, struct fuse_file_info *file)
{
	memset(st, 0, sizeof(*st));
	st->st_mode = strcmp(path, NAME) ? S_IFDIR | 0755 : S_IFREG | 0600;
	st->st_nlink = 1;
	st->st_size = disk.bytes;
	return strcmp(path, NAME) && strcmp(path, "/") ? -ENOENT : 0;
}

static int open_file(const char *path, struct fuse_file_info *file)
{
	file->direct_io = 1;
	return strcmp(path, NAME) ? -ENOENT : 0;
}

static size_t within(size_t size, off_t offset)
{
	return offset >= disk.bytes		     ? 0 :
		size < (size_t)(disk.bytes - offset) ? size :
						       disk.bytes - offset;
}

static int read_file(const char *path, char *to, size_t size, off_t offset,
		     struct fuse_file_info *file)
{
	size = within(size, offset);
	serve(size);
	memcpy(to, disk.data + offset, size);
	return size;
}

static int write_file(const char *path, const char *from, size_t size, off_t offset,
		      struct fuse_file_info *file)
{
	size = within(size, offset);
	serve(size);
	memcpy(disk.data + offset, from, size);
	return size;
}

static int sync_file(const char *path, int data_only, struct fuse_file_info *file)
{
	return 0;
}

static const struct fuse_operations operations = {
	.getattr = get_attributes,
	.open = open_file,
	.read = read_file,
	.write = write_file,
	.fsync = sync_file,
};

int main(int argc, char **argv)
{
	char *arguments[] = { argv[0], "-f", "-o", "max_threads=64", argv[argc - 1], NULL };

	if (argc != 5)
		return 2;
	disk.bytes = atoll(argv[1]) * MIB;
	disk.latency_ns = atoll(argv[2]) * 1000;
	disk.ns_per_byte = NS_PER_S / (atof(argv[3]) * MIB);
	disk.data = mmap(NULL, disk.bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return disk.data == MAP_FAILED ? 1 : fuse_main(5, arguments, &operations, NULL);
}
