// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine null: requests end at once, without I/O. A load with this engine measures the cost of the
 * load generator itself. */
#include "bench/load/load.h"

static int null_open(struct worker *w)
{
	return 0;
}

static void null_close(struct worker *w)
{
}

static void null_queue(struct worker *w, struct request *r)
{
	r->result = r->bytes;
	w->ended[w->ended_n++] = r;
}

const struct engine engine_null = {
	.name = "null",
	.can = ENGINE_BATCH,
	.open = null_open,
	.close = null_close,
	.queue = null_queue,
	.reap = engine_reap_none,
};
