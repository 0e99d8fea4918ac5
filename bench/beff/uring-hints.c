// SPDX-License-Identifier: GPL-2.0-or-later
/* Hints for the engine uring of b_eff_io, such as "direct". */
#include "bench/beff/uring.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "bench/load/engine-uring.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "bench/beff/engine.h"

#define SECTOR 512

static int set_flag(void *to, const char *value)
{
	bool *flag = to;

	*flag = !strcmp(value, "enable");
	return *flag || !strcmp(value, "disable") ? 0 : -EINVAL;
}

static int set_number(void *to, const char *value)
{
	return num_uint(value, to);
}

static int set_bytes(void *to, const char *value)
{
	u64 *bytes = to;
	int ret = num_size(value, bytes);

	return ret ?: *bytes < BEFF_PAGE ? -EINVAL : 0;
}

static int set_advice(void *to, const char *value)
{
	static const struct {
		const char *word;
		int advice;
	} all[] = {
		{ "normal", POSIX_FADV_NORMAL },     { "sequential", POSIX_FADV_SEQUENTIAL },
		{ "random", POSIX_FADV_RANDOM },     { "willneed", POSIX_FADV_WILLNEED },
		{ "dontneed", POSIX_FADV_DONTNEED },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(value, all[i].word)) {
			*(int *)to = all[i].advice;
			return 0;
		}
	return -EINVAL;
}

#define FLAG(key, member) \
	{ \
		key, "enable, disable", set_flag, offsetof(struct beff_uring, member) \
	}

static const struct {
	const char *key, *values;
	int (*set)(void *to, const char *value);
	size_t at; /* offset of the field in struct beff_uring that .set() changes */
} hints[] = {
	FLAG("collective_buffering", collective),
	{ "cb_nodes", "a number", set_number, offsetof(struct beff_uring, agents) },
	{ "cb_buffer_size", "bytes, 4096 or more", set_bytes,
	  offsetof(struct beff_uring, collective_bytes) },
	FLAG("direct", direct),
	FLAG("iopoll", polls),
	FLAG("registered", registered),
	FLAG("fallocate", preallocates),
	{ "fadvise", "normal, sequential, random, willneed, dontneed", set_advice,
	  offsetof(struct beff_uring, advice) },
};
#define HINTS (sizeof(hints) / sizeof(*hints))

static int apply_hint(struct beff_uring *f, size_t hint, const char *value)
{
	return hints[hint].set((char *)f + hints[hint].at, value);
}

int beff_uring_knows(const struct beff_hint *hint)
{
	struct beff_uring f;
	size_t i = 0;

	while (i < HINTS && strcmp(hints[i].key, hint->key))
		i++;
	if (i == HINTS)
		return error(-EINVAL,
			     "the engine uring has no hint '%s'; use "
			     "collective_buffering, cb_nodes, cb_buffer_size, direct, iopoll, "
			     "registered, fallocate, fadvise",
			     hint->key);
	return apply_hint(&f, i, hint->value) ? error(-EINVAL, "'%s' is no value of %s: use %s",
						      hint->value, hint->key, hints[i].values) :
						0;
}

/* Returns true if all chunks start and end at sector boundaries, as O_DIRECT needs. */
static bool is_aligned(const struct beff_extent *e)
{
	return (e->l | e->at | e->stride) % SECTOR == 0;
}

static int register_rank_buffers(struct beff_rank *r, struct beff_uring *f)
{
	const struct iovec both[] = {
		{ r->buffer, beff_buffer_bytes(r->setup) },
		{ r->agents, beff_agents_bytes(r->setup) },
	};

	return beff_ring_register(f->ring, both);
}

/* Preallocates the part of the file that the rank will write. Does nothing in a step with a time
 * limit, because the length is unknown. Returns 0 or -errno. */
static int preallocate(const struct beff_rank *r, const struct beff_uring *f)
{
	const struct beff_extent *e = &r->extent;
	u64 n;

	if (r->step->access == BEFF_READ || r->step->time_ns || !e->l)
		return 0;
	n = r->step->shape.repetitions[r->step->pattern] * (e->call / e->l);
	if (!n)
		return 0;
	return fallocate(f->io.fd, FALLOC_FL_KEEP_SIZE, e->at, (n - 1) * e->stride + e->l) ?
		-errno :
		0;
}

static void take_hints(const struct beff_rank *r, struct beff_uring *f)
{
	f->collective = r->setup->collective;
	f->agents = r->setup->agents;
	f->collective_bytes = r->setup->collective_bytes;
	f->direct = f->polls = f->registered = f->preallocates = false;
	f->advice = POSIX_FADV_NORMAL;
	for (unsigned n = 0; n < r->step->hints.n; n++)
		for (size_t i = 0; i < HINTS; i++)
			if (!strcmp(hints[i].key, r->step->hints.list[n].key))
				apply_hint(f, i, r->step->hints.list[n].value);
	if (f->collective_bytes > r->setup->collective_bytes)
		f->collective_bytes = r->setup->collective_bytes;
	f->collective_bytes &= ~(u64)(BEFF_PAGE - 1);
	f->polls &= is_aligned(&r->extent);
	f->direct = f->polls || (f->direct && is_aligned(&r->extent));
}

int beff_uring_view(struct beff_rank *r)
{
	struct beff_uring *f = r->engine;
	int fd = f->io.fd, flags = fcntl(fd, F_GETFL) & ~O_DIRECT, ret = 0;

	take_hints(r, f);
	posix_fadvise(fd, 0, 0, f->advice);
	if (fcntl(fd, F_SETFL, f->direct ? flags | O_DIRECT : flags))
		return -errno;
	f->ring = f->polls ? &f->polled : &f->io;
	f->ring->registered = false;
	if (f->polls)
		ret = beff_ring_poll(f->ring, fd, !r->number);
	if (!ret && f->preallocates)
		ret = preallocate(r, f);
	if (!ret && f->registered)
		ret = register_rank_buffers(r, f);
	f->ring->registered = f->registered;
	return ret;
}

int beff_uring_check_hints(const char *dir, const struct beff_hints *h)
{
	int fd = open(dir, O_RDONLY | O_CLOEXEC), ret = 0;
	bool polls;

	for (unsigned i = 0; i < h->n && !ret; i++)
		if (!strcmp(h->lines[i].hint.key, "iopoll"))
			ret = set_flag(&polls, h->lines[i].hint.value) ?:
				polls				       ? ring_check_polling(fd) :
									 0;
	close(fd);
	return ret;
}
