// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the requests of a worker. The time that this code needs per request is the cost of the load
 * generator itself. In an open loop, requests become due at given times, even if earlier requests
 * are in flight. In a closed loop, a request becomes due when an earlier request ends. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bench/load/load.h"
#include "bench/load/worker.h"
#include "bench/load/verify.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/reopen.h"

#define PAGE 4096 /* alignment of buffers, enough for direct I/O */

/* Opens the target again, so that this worker has a descriptor of its own. Uses reopen(), because
 * the target may be a file without a name. */
static int open_own(struct worker *w)
{
	int kept = O_ACCMODE | O_DIRECT | O_NOATIME;

	w->own_fd = reopen(w->fd, fcntl(w->fd, F_GETFL) & kept);
	if (w->own_fd < 0) {
		int ret = -errno;

		if (load_fails_first(w->load))
			error(ret, "cannot open the data again: %s", strerror(-ret));
		return ret;
	}
	w->fd = w->own_fd;
	return 0;
}

int worker_open(struct worker *w)
{
	const struct load_spec *spec = w->spec;
	size_t bytes = (stream_most_bytes(&spec->stream) + PAGE - 1) & ~(size_t)(PAGE - 1);

	w->buffer_bytes = bytes;
	w->buffers = mmap(NULL, bytes * spec->depth, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (w->buffers == MAP_FAILED)
		w->buffers = NULL;
	w->requests = calloc(spec->depth, sizeof(*w->requests));
	w->idle = calloc(spec->depth, sizeof(*w->idle));
	w->ended = calloc(spec->depth, sizeof(*w->ended));
	if (!w->buffers || !w->requests || !w->idle || !w->ended) {
		if (load_fails_first(w->load))
			error(-ENOMEM, "out of memory for %llu buffers of %zu bytes",
			      (unsigned long long)spec->depth, bytes);
		return -ENOMEM;
	}
	for (u64 i = 0; i < spec->depth; i++) {
		w->requests[i].buffer = w->buffers + i * bytes;
		w->idle[w->idle_n++] = &w->requests[i];
	}
	w->left = spec->requests ? spec->requests : ~0ULL;
	stream_init(&w->stream, &spec->stream, w->number, w->part);
	return (spec->opened_each ? open_own(w) : 0) ?: spec->engine->open(w);
}

void worker_close(struct worker *w)
{
	if (w->buffers && w->requests)
		w->spec->engine->close(w);
	if (w->own_fd > 0)
		close(w->own_fd);
	if (w->buffers)
		munmap(w->buffers, w->buffer_bytes * w->spec->depth);
	free(w->requests);
	free(w->idle);
	free(w->ended);
}

/* Adds @n requests to the worker's requests in flight. load->span measures the time in which at
 * least one worker has a request in flight. So the worker enters load->span only if it had no
 * request in flight. */
static inline void enter_span(struct worker *w, unsigned n, u64 now)
{
	if (!w->in_flight && n)
		span_enter(&w->load->span, now);
	w->in_flight += n;
}

static inline void leave_span(struct worker *w, unsigned n, u64 now)
{
	w->in_flight -= n;
	if (!w->in_flight && n)
		span_leave(&w->load->span, now);
}

void worker_count(struct worker *w, struct request *r, u64 now)
{
	struct row *row = &w->rows[r->write];

	/* a result of 0 bytes means that the disk was removed or the file was truncated */
	if (!r->result)
		r->result = -ENODATA;
	row_add(row, r->result < 0 ? r->bytes : (u32)r->result, now - r->start_ns);
	if (r->result == (int)r->bytes) {
		w->counts.good_ns = now;
		return;
	}
	if (r->result > 0) {
		w->counts.short_requests++;
		return;
	}
	row->errors++;
	if (!w->counts.first_errno)
		w->counts.first_errno = -r->result;
}

/* Returns when the next request of an open loop is due. The previous one was due at @due. */
static u64 next_due(struct worker *w, u64 due)
{
	double gap = 1e9 / w->spec->rate;

	if (w->spec->poisson)
		gap *= -log1p(-stream_unit(&w->stream));
	return due + (u64)gap;
}

/* Returns how many requests the worker may queue at the time @now. */
static inline unsigned batch_size(struct worker *w, u64 now, u64 left)
{
	u64 n = w->idle_n < w->spec->batch ? w->idle_n : w->spec->batch;

	if (n > left)
		n = left;
	if (w->next_ns > now)
		return 0;
	return n;
}

/* Chooses offset, size and direction of @r at random. Returns false if the request must wait for a
 * write in flight (verify_next()). */
static inline bool draw_request(struct worker *w, struct request *r)
{
	if (w->spec->verify)
		return verify_next(w, r);
	stream_next(&w->stream, &r->offset, &r->bytes, &r->write);
	return true;
}

/* Queues up to @n requests and returns their number. In an open loop, queues only requests that are
 * due. Their latency starts when they are due, so it includes the delay of a late request. */
static inline unsigned queue_requests(struct worker *w, unsigned n, u64 now)
{
	const struct engine *engine = w->spec->engine;
	unsigned i;

	for (i = 0; i < n; i++) {
		struct request *r = w->idle[w->idle_n - 1];

		if ((w->spec->rate && w->next_ns > now) || !draw_request(w, r))
			break;
		w->idle_n--;
		r->start_ns = now;
		if (w->spec->rate) {
			r->start_ns = w->next_ns;
			w->next_ns = next_due(w, w->next_ns);
		}
		engine->queue(w, r);
	}
	return i;
}

static inline unsigned collect_ended(struct worker *w, u64 now)
{
	unsigned n = w->ended_n;

	for (unsigned i = 0; i < n; i++) {
		worker_count(w, w->ended[i], now);
		if (w->spec->verify)
			verify_end(w->spec->verify, w->number, w->ended[i]);
		w->idle[w->idle_n++] = w->ended[i];
	}
	w->ended_n = 0;
	return n;
}

/* Returns the number of requests to issue; 0 if the order is no longer LOAD_RUN. */
static inline u64 requests_left(const struct worker *w)
{
	return __atomic_load_n(&w->load->order, __ATOMIC_SEQ_CST) == LOAD_RUN ? w->left : 0;
}

/* Returns true if the worker must wait until a request in flight ends, or until the time *@until
 * (0: no limit). When a request ends, the worker goes on at once: it takes all requests that have
 * ended, and submits the same number of new ones. If it waited for more requests, it would measure
 * their latencies too long, and fewer requests would be in flight. @may: number of requests that
 * the worker was allowed to queue. @queued: number of requests that it has queued. */
static inline bool must_wait(const struct worker *w, unsigned queued, u64 may, u64 now, u64 *until)
{
	*until = 0;
	/* No request can be queued now: none is left to issue, or the full depth is in flight. */
	if (may == queued || !w->idle_n)
		return true;
	if (w->next_ns > now) {
		*until = w->next_ns;
		return true;
	}
	/* A request is due, and there is room for it. If it was not queued, it must wait for a
	 * write in flight (--verify). */
	return !queued;
}

/* Returns the time at which the first request of an open loop is due. Without --poisson, the
 * requests of all processes together are equally spaced, so the processes start at different times.
 * For example, if each of 4 processes issues a request every 10 ms, process 1 starts 2.5 ms after
 * process 0. */
static u64 first_due(struct worker *w, u64 now)
{
	const struct load_spec *spec = w->spec;

	if (!spec->rate)
		return spec->think_ns ? now : 0;
	return spec->poisson ? next_due(w, now) :
			       now + (u64)(1e9 / spec->rate * w->number / spec->procs);
}

/* When an open loop ends, counts the requests that were due but are not issued any more. */
static void note_late(struct worker *w, u64 now)
{
	if (w->spec->rate && w->left && w->next_ns < now)
		w->counts.late += fmin((now - w->next_ns) * w->spec->rate / 1e9 + 1, w->left);
	w->next_ns = ~0ULL;
}

void worker_run(struct worker *w)
{
	const struct load_spec *spec = w->spec;
	u64 now = now_ns(), may, until;

	w->next_ns = first_due(w, now);
	while (((may = requests_left(w)) || w->in_flight) && !w->error) {
		unsigned n = batch_size(w, now, may), queued;
		bool wait;

		if (!n && !w->in_flight) {
			load_sleep(w->load, LOAD_RUN, w->next_ns);
			now = now_ns();
			continue;
		}
		if (!may)
			note_late(w, now);
		enter_span(w, n, now);
		queued = queue_requests(w, n, now);
		leave_span(w, n - queued, now);
		w->left -= queued;
		wait = must_wait(w, queued, may, now, &until);
		w->error = spec->engine->reap(w, wait, until);
		now = now_ns();
		leave_span(w, collect_ended(w, now), now);
		if (spec->think_ns)
			w->next_ns = now + spec->think_ns;
	}
	/* After an error, the worker does not wait for its requests in flight. So they no longer
	 * count as in flight. */
	leave_span(w, w->in_flight, now);
	note_late(w, now);
	w->counts.ended_ns = now;
}
