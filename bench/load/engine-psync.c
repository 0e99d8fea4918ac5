// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine psync: each request is a pread() or pwrite(), one after the other. */
#include <errno.h>
#include <unistd.h>
#include "bench/load/load.h"

static int psync_open(struct worker *w)
{
	return 0;
}

static void psync_close(struct worker *w)
{
}

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
	.open = psync_open,
	.close = psync_close,
	.queue = psync_queue,
	.reap = engine_reap_none,
};
