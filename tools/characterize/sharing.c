// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds files that several processes share, and requests of several processes to one file at the
 * same time. */
#include "tools/characterize/sharing.h"

#include <stdlib.h>

#include "user/base/need.h"

/* A process, and the latest end of its requests to a file. A file stores this for the two processes
 * with the latest ends. At most one of them issues the next request. So the other one shows if
 * another process has a request in flight. */
struct flight {
	u64 end_ns; /* end of the latest request; 0: this struct is not used yet */
	u32 process;
};

struct shared_file {
	u128 bytes;
	u64 requests;
	u32 process; /* number of the first process that used the file */
	bool used[DIR_BOTH];
	bool shared, met;
	struct flight latest[2];
};

static struct shared_file *file_of(struct sharing *s, u32 file)
{
	s->files = need_index(s->files, &s->n, file, sizeof(*s->files));
	return &s->files[file];
}

void sharing_count(struct sharing *s, u32 file, u32 process, enum direction d, u64 bytes)
{
	struct shared_file *f = file_of(s, file);

	if (!f->requests)
		f->process = process;
	f->shared |= process != f->process;
	f->used[d] = true;
	f->requests++;
	f->bytes += bytes;
}

static void update_latest(struct shared_file *f, u32 process, u64 end_ns)
{
	struct flight *to = f->latest;
	bool second = to[1].process == process || to[1].end_ns < to[0].end_ns;

	if (to[0].process != process && second)
		to++;
	if (to->end_ns < end_ns)
		*to = (struct flight){ end_ns, process };
}

void sharing_span(struct sharing *s, u32 file, u32 process, u64 start_ns, u64 end_ns, bool part)
{
	struct shared_file *f = file_of(s, file);
	u64 others_ns = 0;

	for (int i = 0; i < 2; i++)
		if (f->latest[i].process != process && f->latest[i].end_ns > others_ns)
			others_ns = f->latest[i].end_ns;
	update_latest(f, process, end_ns);
	if (others_ns <= start_ns || end_ns <= start_ns)
		return;
	f->met = true;
	s->met += !part;
	cover_add(&s->together, start_ns, others_ns < end_ns ? others_ns : end_ns);
}

void sharing_release(struct sharing *s)
{
	cover_release(&s->together);
	free(s->files);
}

struct shared sharing_sum(const struct sharing *s)
{
	struct shared sum = {};

	for (const struct shared_file *f = s->files; f < s->files + s->n; f++) {
		if (!f->requests)
			continue;
		sum.files[DIR_READ] += f->used[DIR_READ];
		sum.files[DIR_WRITE] += f->used[DIR_WRITE];
		sum.files[DIR_BOTH]++;
		sum.local += !f->shared;
		sum.shared += f->shared;
		sum.met += f->met;
		sum.requests += f->requests;
		sum.bytes += f->bytes;
		sum.shared_requests += f->shared ? f->requests : 0;
		sum.shared_bytes += f->shared ? f->bytes : 0;
	}
	return sum;
}
