// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads all data back after a load, and compares them with the data that were written
 * (--verify). */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "bench/load/target.h"
#include "bench/load/verify-read.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/progress.h"
#include "user/base/signals.h"

#define CHUNK (1 << 20)

struct reading {
	struct verify *v;
	const char *name;
	int fd;
	char *buffer;
	u64 bytes; /* size of .buffer, a multiple of the alignment of requests */
};

/* Makes later reads come from the disk, by direct I/O. If the file system does not support direct
 * I/O of single units, drops the cached pages and sets v->cached. Returns 0 or -errno; prints the
 * error. */
static int leave_cache(struct reading *r)
{
	u64 direct = target_direct_unit(r->fd) ?: 1;

	if (fsync(r->fd) && errno != EINVAL && errno != EROFS)
		return error(-errno, "cannot write back the data of '%s': %s", r->name,
			     strerror(errno));
	if (r->v->unit_bytes % direct == 0 &&
	    !fcntl(r->fd, F_SETFL, fcntl(r->fd, F_GETFL) | O_DIRECT))
		return 0;
	ioctl(r->fd, BLKFLSBUF, 0);
	posix_fadvise(r->fd, 0, 0, POSIX_FADV_DONTNEED);
	r->v->cached = true;
	return 0;
}

/* Reads @n bytes from offset @at. Returns false after an error or at the end of the file. */
static bool read_fully(const struct reading *r, u64 n, u64 at)
{
	for (u64 done = 0; done < n;) {
		ssize_t ret = pread(r->fd, r->buffer + done, n - done, at + done);

		if (ret <= 0)
			return false;
		done += ret;
	}
	return true;
}

static void read_units(const struct reading *r, u64 writer, u64 at, u64 n)
{
	struct verify *v = r->v;

	if (read_fully(r, n, at))
		verify_check(v, writer, at, r->buffer, n, v->newest[writer]);
	else if (n == v->unit_bytes)
		verify_unreadable(v, writer, at, n);
	else
		for (u64 done = 0; done < n; done += v->unit_bytes)
			read_units(r, writer, at + done, v->unit_bytes);
}

static void show_read_progress(const struct reading *r, u64 done, u64 all)
{
	char a[NUM_TEXT], b[NUM_TEXT];

	progress("reading back '%s': %s of %s", r->name, num_bytes_text(a, done),
		 num_bytes_text(b, all));
}

static void read_back_part(const struct reading *r, u64 writer)
{
	struct verify *v = r->v;
	u64 start = writer / v->targets * v->part_bytes, n;

	for (u64 done = 0; done < v->part_bytes && !v->cut; done += n) {
		n = v->part_bytes - done < r->bytes ? v->part_bytes - done : r->bytes;
		if (done % (64 * r->bytes) == 0)
			show_read_progress(r, start + done, start + v->part_bytes);
		read_units(r, writer, start + done, n);
		v->cut = signals_pending();
	}
}

static int read_back_target(struct reading *r, u64 target)
{
	struct verify *v = r->v;
	int ret = leave_cache(r);

	for (u64 writer = target; writer < v->writers && !ret; writer += v->targets)
		read_back_part(r, writer);
	progress_end();
	return ret;
}

static int read_back(struct verify *v, char *const *names, const int *fds)
{
	struct reading r = { .v = v };
	sigset_t before;
	int ret = 0, signals;

	r.bytes = v->unit_bytes > CHUNK ? v->unit_bytes : CHUNK - CHUNK % v->unit_bytes;
	r.buffer = mmap(NULL, r.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (r.buffer == MAP_FAILED)
		return error(-ENOMEM, "out of memory");
	signals = signals_catch(0, &before);
	if (signals < 0)
		ret = signals;
	v->at_end = true;
	for (u64 i = 0; i < v->targets && !ret && !v->cut; i++) {
		r.name = names[i];
		r.fd = fds[i];
		ret = read_back_target(&r, i);
	}
	if (signals >= 0)
		signals_release(signals, &before);
	munmap(r.buffer, r.bytes);
	return ret;
}

int verify_finish(struct verify *v, bool stopped, char *const *names, const int *fds)
{
	int ret;

	v->cut = stopped;
	ret = read_back(v, names, fds);
	v->cut |= ret != 0;
	if (!ret && verify_places(v))
		ret = error(-EILSEQ, "what is read is not what was written");
	return ret;
}
