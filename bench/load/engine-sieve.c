// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine sieve: reads regions of a file by pread(). sieve.h describes three ways of reading; each
 * load uses one of them. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bench/load/load.h"
#include "user/base/err.h"

struct sieving {
	const struct regions *regions;
	u64 number, procs;
	int fd;
	/* .at: next byte to read. .end: end of the request. These offsets skip all holes: offset 0
	 * is the first byte of the process's first region. */
	u64 at, end;
	char *to;
};

static u64 sieve_offset(const struct sieving *s, u64 at)
{
	return region_place(s->regions, s->number, s->procs, at);
}

/* Returns the number of bytes from s->at to the end of the region that contains it. If the request
 * ends earlier, returns the number of bytes to the end of the request. */
static u64 region_left(const struct sieving *s)
{
	u64 region = s->regions->size - s->at % s->regions->size, all = s->end - s->at;

	return region < all ? region : all;
}

static void sieving_advance(struct sieving *s, u64 n)
{
	s->at += n;
	s->to += n;
}

/* Copies the requested bytes from @window to the request's buffer, without the holes between
 * regions. @window has @n bytes of the file from offset @from. */
static void sieve(struct sieving *s, const char *window, u64 from, u64 n)
{
	while (s->at < s->end && sieve_offset(s, s->at) < from + n) {
		u64 skip = sieve_offset(s, s->at) - from, part = region_left(s);

		if (part > n - skip)
			part = n - skip;
		memcpy(s->to, window + skip, part);
		sieving_advance(s, part);
	}
}

/* Reads a window, a contiguous piece of the file that fills the buffer, and copies the requested
 * bytes. Returns 0, 1 at the end of the file, or -errno. */
static int sieve_read_window(struct sieving *s, char *window)
{
	u64 from = sieve_offset(s, s->at), n = sieve_offset(s, s->end - 1) + 1 - from;
	ssize_t got;

	if (n > s->regions->buffer)
		n = s->regions->buffer;
	got = pread(s->fd, window, n, from);
	if (got > 0)
		sieve(s, window, from, got);
	return got < 0 ? -errno : got == 0;
}

static int sieve_read_region(struct sieving *s)
{
	ssize_t got = pread(s->fd, s->to, region_left(s), sieve_offset(s, s->at));

	if (got > 0)
		sieving_advance(s, got);
	return got < 0 ? -errno : got == 0;
}

/* Reads this process's piece of the file in one step of a two-phase read. In a step, all processes
 * together read @n bytes from file offset @from into the shared memory @to. The piece of each
 * process has at most regions->shared bytes. */
static int read_own_buffer(struct sieving *s, char *to, u64 from, u64 n)
{
	u64 done = s->number * s->regions->shared, end = done + s->regions->shared;
	ssize_t got = 1;

	if (end > n)
		end = n;
	for (; done < end && got > 0; done += got)
		got = pread(s->fd, to + done, end - done, from + done);
	return got > 0 ? 0 : got ? -errno : -ENODATA;
}

static int meet_others(struct load *l)
{
	return barrier_wait(&l->barrier, l->spec.procs, load_has_ended, l) ? 0 : -ECANCELED;
}

/* Reads all regions of a request by two-phase reads. After an error, the process still goes to the
 * remaining barriers, because the other processes wait there for it. */
static int read_two_phase(struct load *l, struct sieving *s)
{
	const struct regions *r = s->regions;
	u64 all = region_place(r, s->procs - 1, s->procs, s->end - 1) + 1, n;
	int ret = 0, met = 0;

	for (u64 from = 0; from < all && !met; from += n) {
		n = all - from < r->shared * s->procs ? all - from : r->shared * s->procs;
		ret = ret ?: read_own_buffer(s, l->shared, from, n);
		met = meet_others(l);
		if (!met)
			sieve(s, l->shared, from, n);
		met = met ?: meet_others(l);
	}
	return ret ?: met;
}

static int sieve_open(struct worker *w)
{
	u64 bytes = w->spec->regions.shared ? 0 : w->spec->regions.buffer;

	if (!bytes)
		return 0;
	w->engine = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (w->engine != MAP_FAILED)
		return 0;
	w->engine = NULL;
	return error(-ENOMEM, "out of memory for a buffer of %llu bytes",
		     (unsigned long long)bytes);
}

static void sieve_close(struct worker *w)
{
	if (w->engine)
		munmap(w->engine, w->spec->regions.buffer);
}

static void sieve_queue(struct worker *w, struct request *q)
{
	struct sieving s = {
		.regions = &w->spec->regions,
		.number = w->number,
		.procs = w->spec->procs,
		.fd = w->fd,
		.at = q->offset,
		.end = q->offset + q->bytes,
		.to = q->buffer,
	};
	int ret = s.regions->shared ? read_two_phase(w->load, &s) : 0;

	while (s.at < s.end && !ret)
		ret = w->engine ? sieve_read_window(&s, w->engine) : sieve_read_region(&s);
	q->result = ret < 0 ? ret : (int)(s.at - q->offset);
	w->ended[w->ended_n++] = q;
}

const struct engine engine_sieve = {
	.name = "sieve",
	.can = ENGINE_DATA | ENGINE_CACHE,
	.open = sieve_open,
	.close = sieve_close,
	.queue = sieve_queue,
	.reap = engine_reap_none,
};
