// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/engines.h"

#include <errno.h>
#include <unistd.h>

#include "bench/load/load.h"
#include "user/base/words.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const struct engine *engine_named(const char *name)
{
	return words_element("engine", engines, name);
}

int engine_reap_none(struct worker *w, bool wait, u64 until_ns)
{
	return 0;
}

static int open_none(struct worker *w)
{
	return 0;
}

static void close_none(struct worker *w)
{
}

/* Ends each request at once, without I/O. So a load with the engine null shows the cost of the load
 * generator itself. */
static void null_queue(struct worker *w, struct request *r)
{
	r->result = r->bytes;
	w->ended[w->ended_n++] = r;
}

const struct engine engine_null = {
	.name = "null",
	.can = ENGINE_BATCH,
	.open = open_none,
	.close = close_none,
	.queue = null_queue,
	.reap = engine_reap_none,
};

static void psync_queue(struct worker *w, struct request *q)
{
	ssize_t n = q->write ? pwrite(w->fd, q->buffer, q->bytes, q->offset) :
			       pread(w->fd, q->buffer, q->bytes, q->offset);

	q->result = n < 0 ? -errno : n;
	w->ended[w->ended_n++] = q;
}

const struct engine engine_psync = {
	.name = "psync",
	.can = ENGINE_DATA | ENGINE_CACHE | ENGINE_DIRECT,
	.open = open_none,
	.close = close_none,
	.queue = psync_queue,
	.reap = engine_reap_none,
};
