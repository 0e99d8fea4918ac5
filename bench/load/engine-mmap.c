// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine mmap: reads are loads from a mapped file, and writes are stores to it. The kernel sends
 * SIGBUS if it cannot read a page. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "bench/load/load.h"
#include "user/base/err.h"

struct mapping {
	char *at;
	u64 bytes;
};

static __thread sigjmp_buf bus;
static __thread volatile sig_atomic_t in_copy;

static void on_bus(int signal)
{
	if (in_copy)
		siglongjmp(bus, 1);
	abort();
}

static int mmap_open(struct worker *w)
{
	const struct stream_spec *s = &w->spec->stream;
	struct sigaction action = { .sa_handler = on_bus, .sa_flags = SA_NODEFER };
	struct mapping *m = calloc(1, sizeof(*m));
	int protection = PROT_READ | (s->read < 1 ? PROT_WRITE : 0);

	w->engine = m;
	if (!m)
		return error(-ENOMEM, "out of memory");
	m->bytes = (w->part + 1) * s->unique_bytes;
	m->at = mmap(NULL, m->bytes, protection, MAP_SHARED, w->fd, 0);
	if (m->at == MAP_FAILED) {
		m->at = NULL;
		return error(-errno, "cannot map the file: %s", strerror(errno));
	}
	madvise(m->at, m->bytes, s->seq < 1 ? MADV_RANDOM : MADV_SEQUENTIAL);
	sigaction(SIGBUS, &action, NULL);
	return 0;
}

static void mmap_close(struct worker *w)
{
	struct mapping *m = w->engine;

	if (m && m->at)
		munmap(m->at, m->bytes);
	free(m);
}

static void mmap_queue(struct worker *w, struct request *r)
{
	struct mapping *m = w->engine;

	w->ended[w->ended_n++] = r;
	in_copy = 1;
	if (sigsetjmp(bus, 0)) {
		r->result = -EIO;
	} else {
		if (r->write)
			memcpy(m->at + r->offset, r->buffer, r->bytes);
		else
			memcpy(r->buffer, m->at + r->offset, r->bytes);
		r->result = r->bytes;
	}
	in_copy = 0;
}

const struct engine engine_mmap = {
	.name = "mmap",
	.can = ENGINE_DATA | ENGINE_CACHE,
	.open = mmap_open,
	.close = mmap_close,
	.queue = mmap_queue,
	.reap = engine_reap_none,
};
