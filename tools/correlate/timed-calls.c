// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the I/O time of a job from the system calls in a trace. A file is shared if at least two
 * processes of the job read or write, and each of them reads or writes this file. Any other file is
 * unique. */
#include "tools/correlate/timed-calls.h"

#include <stdlib.h>

#include "user/base/need.h"

#define PAIRS_MOST (1U << 26)

static struct caller *caller_of(struct timed_calls *c, u32 process)
{
	c->callers = need_index(c->callers, &c->callers_n, process, sizeof(*c->callers));
	return &c->callers[process];
}

static u32 *users_of(struct timed_calls *c, u32 file)
{
	c->users = need_index(c->users, &c->files_n, file, sizeof(*c->users));
	return &c->users[file];
}

void timed_calls_scan(struct timed_calls *c, const struct traced_access *a)
{
	const struct trace_stream *s = a->stream;
	struct caller *caller = caller_of(c, s->process);
	u32 known = c->pairs.n;

	if (s->op > OP_WRITE)
		return;
	c->moving += !caller->moves;
	caller->moves = true;
	keys_number(&c->pairs, (u64)s->process << 32 | s->file, PAIRS_MOST);
	*users_of(c, s->file) += c->pairs.n > known;
}

/* Returns true if @file is shared, and the process @by reads or writes any file. File 0 stands for
 * an unknown file, which is never shared. */
static bool is_shared(struct timed_calls *c, const struct caller *by, u32 file)
{
	return file && by->moves && c->moving > 1 && *users_of(c, file) == c->moving;
}

void timed_calls_add(struct timed_calls *c, const struct traced_access *a)
{
	const struct trace_stream *s = a->stream;
	struct caller *caller = caller_of(c, s->process);

	if (!is_shared(c, caller, s->file)) {
		cover_add(s->op >= OP_OPEN ? &caller->metadata : &caller->transfer, a->start_ns,
			  a->end_ns);
		return;
	}
	if (a->start_ns < c->shared_from)
		c->shared_from = a->start_ns;
	if (s->op <= OP_WRITE && a->end_ns > c->shared_to)
		c->shared_to = a->end_ns;
}

void timed_calls_settle(struct timed_calls *c, u64 before_ns)
{
	for (u32 i = 0; i < c->callers_n; i++) {
		cover_settle(&c->callers[i].metadata, before_ns, NULL, NULL);
		cover_settle(&c->callers[i].transfer, before_ns, NULL, NULL);
	}
}

void timed_calls_fill(const struct timed_calls *c, struct timed_job *j)
{
	u64 metadata = 0, transfer = 0;

	for (u32 i = 0; i < c->callers_n; i++) {
		u64 m = cover_total_ns(&c->callers[i].metadata);
		u64 t = cover_total_ns(&c->callers[i].transfer);

		if (m + t > metadata + transfer) {
			metadata = m;
			transfer = t;
		}
	}
	j->seconds[FORM_METADATA] = metadata / 1e9;
	j->seconds[FORM_TRANSFER] = transfer / 1e9;
	j->seconds[FORM_SHARED] = c->shared_to ? (c->shared_to - c->shared_from) / 1e9 : 0;
}

void timed_calls_release(struct timed_calls *c)
{
	for (u32 i = 0; i < c->callers_n; i++) {
		cover_release(&c->callers[i].metadata);
		cover_release(&c->callers[i].transfer);
	}
	free(c->callers);
	free(c->users);
	keys_release(&c->pairs);
}
