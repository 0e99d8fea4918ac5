// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the targets of a load, and fills new files with data, one chunk per write. */
#include "bench/load/target.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/load/stream.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/progress.h"
#include "user/base/signals.h"
#include "user/host/environment-cgroups.h"
#include "user/host/host.h"

#define CHUNK (1 << 20)
#define FREE_PER_CENT 80 /* a load may use this percentage of the free space of a file system */

/* Fills @chunk with random data, which no device or file system can compress or deduplicate. */
static void fill_chunk(struct stream *s, u64 *chunk)
{
	for (size_t i = 0; i < CHUNK / sizeof(*chunk); i++)
		chunk[i] = stream_random(s);
}

static void show_fill_progress(const struct target *t, u64 done)
{
	char a[NUM_TEXT], b[NUM_TEXT];

	progress("filling '%s': %s of %s", t->name, num_bytes_text(a, done),
		 num_bytes_text(b, t->bytes));
}

static int target_write(const struct target *t, const char *from, u64 n, u64 at)
{
	while (n) {
		ssize_t done = pwrite(t->guard.fd, from, n, at);

		if (done <= 0)
			return error(done ? -errno : -EIO, "cannot write the data in '%s': %s",
				     t->name, strerror(done ? errno : EIO));
		from += done;
		at += done;
		n -= done;
	}
	return 0;
}

static int target_flush(const struct target *t)
{
	return fsync(t->guard.fd) ?
		error(-errno, "cannot write the data in '%s': %s", t->name, strerror(errno)) :
		0;
}

int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns)
{
	u64 *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct stream_spec spec = { .align = 1, .seed = 1 };
	struct stream random;
	int ret = 0;

	if (chunk == MAP_FAILED)
		return error(-ENOMEM, "out of memory");
	stream_init(&random, &spec, 0, 0);
	for (u64 at = 0, n; at < t->bytes && !ret; at += n) {
		n = t->bytes - at < CHUNK ? t->bytes - at : CHUNK;
		if (v)
			verify_fill(v, number, at, chunk, n);
		else
			fill_chunk(&random, chunk);
		ret = target_write(t, (char *)chunk, n, at);
		if (at % (64 * CHUNK) == 0)
			show_fill_progress(t, at);
		/* A single flush at the end might take longer than the time limit, so flush
		 * repeatedly. */
		if (!ret && until_ns && at % (64 * CHUNK) == 0)
			ret = target_flush(t);
		if (until_ns && now_ns() >= until_ns)
			t->bytes = at + n;
		if (!ret && signals_pending())
			ret = -EINTR;
	}
	ret = ret ?: target_flush(t);
	progress_end();
	munmap(chunk, CHUNK);
	return ret;
}

u64 target_room(const char *name)
{
	struct stat st;
	u64 bytes = UINT64_MAX;
	int fd;

	if (stat(name, &st))
		return UINT64_MAX;
	if (S_ISREG(st.st_mode))
		return st.st_size;
	fd = S_ISBLK(st.st_mode) ? open(name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return UINT64_MAX;
	if (ioctl(fd, BLKGETSIZE64, &bytes))
		bytes = UINT64_MAX;
	close(fd);
	return bytes;
}

int room_on_target(const char *target, u64 *bytes)
{
	struct statvfs fs;
	struct stat st;

	if (stat(target, &st) || statvfs(target, &fs))
		return error(-errno, "cannot examine '%s': %s", target, strerror(errno));
	*bytes = target_room(target);
	if (S_ISDIR(st.st_mode)) /* a file system without a size limit reports 0 blocks */
		*bytes = fs.f_blocks ? fs.f_bavail * fs.f_frsize / 100 * FREE_PER_CENT : INT64_MAX;
	return 0;
}

u64 room_in_cache(u64 limit)
{
	u64 most = environment_memory_limit(), available;

	if (limit && limit < most)
		most = limit;
	if (host_memory(&this_host, "MemAvailable", &available) && available < most)
		most = available;
	return most;
}

u64 target_direct_unit(int fd)
{
#ifdef STATX_DIOALIGN
	struct statx st;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) && st.stx_mask & STATX_DIOALIGN)
		return st.stx_dio_offset_align;
#endif
	return 0;
}

u64 target_unit(const char *name, bool buffered)
{
	struct stat st;
	u64 unit = 0;
	int fd = -1;

	if (buffered)
		return 1;
	/* If @name is a directory, the target is a new file without a name. Special files, such as
	 * a fifo or tape, are not opened, because opening them may have an effect, such as
	 * rewinding a tape. */
	if (!stat(name, &st) && S_ISDIR(st.st_mode))
		fd = open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	else if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
		fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		unit = target_direct_unit(fd);
		close(fd);
	}
	return unit ? unit : TARGET_PAGE;
}

int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o)
{
	struct guard_options own = *o;
	int ret;

	own.bytes = t->bytes = bytes;
	ret = guard_open(name, &own, &t->guard);
	if (!ret)
		t->name = name;
	return ret;
}

struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v)
{
	struct target *t;
	int n = 0, ret = 0;

	while (names[n])
		n++;
	t = need(calloc(n + 1, sizeof(*t)));
	for (int i = 0; i < n && !ret; i++)
		ret = target_open(&t[i], names[i], bytes[i], o);
	for (int i = 0; i < n && !ret; i++)
		if (v || t[i].guard.kind == GUARD_DIRECTORY)
			ret = target_fill(&t[i], i, v, 0);
	if (!ret)
		return t;
	targets_close(t);
	return NULL;
}

void targets_close(struct target *t)
{
	for (struct target *each = t; each && each->name; each++)
		guard_close(&each->guard);
	free(t);
}
