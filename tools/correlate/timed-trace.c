// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads one job from a trace, at the highest recorded layer: app, else vfs, else device. Computes
 * the I/O time by equation 1 of Madireddy and others 2017 from the system calls (layer vfs). A file
 * is shared if at least two processes of the job read or write, and all of these use the file. Any
 * other file is unique. The I/O time has two parts: the time of the slowest process in calls to
 * unique files, and the time from the first open to the last I/O of shared files. If threads of a
 * process wait at the same time, the time is counted once. Darshan counts it once per thread. */
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/keys.h"
#include "user/base/need.h"
#include "user/metric/span.h"
#include "tools/correlate/sources.h"
#include "tools/input/traced.h"

#define PAIRS_MOST (1U << 26)

/* Times of one process in system calls to unique files. */
struct caller {
	bool moves;	       /* true if the process reads or writes any file */
	struct cover metadata; /* time in opens, creates and closes of unique files */
	struct cover transfer; /* time in reads, writes and syncs of unique files */
};

struct timed_calls {
	struct caller *callers; /* indexed by the number of the process in the trace */
	/* .callers_n: number of elements of .callers. .moving: number of processes that read or
	 * write any file. */
	u32 callers_n, moving;
	/* .users[i]: number of processes that read or write file i. .files_n: number of elements of
	 * .users. */
	u32 *users, files_n;
	struct keys pairs; /* pairs of a process and a file that the process reads or writes */
	/* In ns. .shared_from: start of the first call to a shared file, usually an open.
	 * .shared_to: end of the last read or write of a shared file; 0: there is none. */
	u64 shared_from, shared_to;
};

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

/* First pass over the calls of layer vfs: counts the processes that read or write each file. */
static void timed_calls_scan(struct timed_calls *c, const struct traced_access *a)
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

/* Returns true if @file is shared, and if the process @by reads or writes any file. File 0 is an
 * unknown file, which is never shared. */
static bool is_shared(struct timed_calls *c, const struct caller *by, u32 file)
{
	return file && by->moves && c->moving > 1 && *users_of(c, file) == c->moving;
}

/* Second pass over the calls: adds the time of each call. The first pass has found out which files
 * are shared. */
static void add_call(void *calls, const struct traced_access *a)
{
	const struct trace_stream *s = a->stream;
	struct timed_calls *c = calls;
	struct caller *caller;

	if (s->layer != LAYER_VFS || a->flags & TRACE_UNSPANNED)
		return;
	caller = caller_of(c, s->process);
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

static void settle_calls(void *calls, u64 before_ns)
{
	struct timed_calls *c = calls;

	for (u32 i = 0; i < c->callers_n; i++) {
		cover_settle(&c->callers[i].metadata, before_ns, NULL, NULL);
		cover_settle(&c->callers[i].transfer, before_ns, NULL, NULL);
	}
}

static void timed_calls_fill(const struct timed_calls *c, struct timed_job *j)
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

/* Counts the files that @j reads or writes. */
static void timed_calls_count_files(const struct timed_calls *c, struct timed_job *j)
{
	u32 unique = 0, shared = 0;

	for (u32 file = 1; file < c->files_n; file++)
		if (c->moving > 1 && c->users[file] == c->moving)
			shared++;
		else if (c->users[file])
			unique++;
	j->all[VOLUME_UNIQUE] = unique;
	j->all[VOLUME_SHARED] = shared;
}

static void timed_calls_release(struct timed_calls *c)
{
	for (u32 i = 0; i < c->callers_n; i++) {
		cover_release(&c->callers[i].metadata);
		cover_release(&c->callers[i].transfer);
	}
	free(c->callers);
	free(c->users);
	keys_release(&c->pairs);
}

struct traced_file {
	/* Start of the first access to a file, and end of the last access. .last_ns is 0 if there
	 * is no access. */
	u64 first_ns, last_ns;
};

struct seen_layer {
	struct cover span;
	/* files[0][i] has the reads of the file with number i in the trace. files[1][i] has its
	 * writes. At the device layer, i is the number of a disk. */
	struct traced_file *files[2];
	u32 files_n[2];
	u64 bytes[2];	       /* bytes read, bytes written */
	struct keys processes; /* numbers of the processes with reads or writes */
	bool any;
};

struct seen_job {
	struct seen_layer layers[LAYERS];
	struct timed_calls calls;
	u64 last_ns;
};

static void add_job_access(void *arg, const struct traced_access *a)
{
	const struct trace_stream *s = a->stream;
	struct seen_job *job = arg;
	struct seen_layer *l = &job->layers[s->layer];
	struct traced_file *use;
	u32 file;

	if (a->flags & TRACE_UNSPANNED)
		return;
	if (s->layer == LAYER_VFS)
		timed_calls_scan(&job->calls, a);
	if (s->op > OP_WRITE)
		return;
	l->any = true;
	l->bytes[s->op] += a->flags & TRACE_PART ? 0 : a->bytes;
	keys_number(&l->processes, s->process, UINT32_MAX);
	cover_add(&l->span, a->start_ns, a->end_ns);
	file = s->layer == LAYER_DEVICE ? s->disk : s->file;
	l->files[s->op] = need_index(l->files[s->op], &l->files_n[s->op], file, sizeof(*use));
	use = &l->files[s->op][file];
	if (!use->last_ns || a->start_ns < use->first_ns)
		use->first_ns = a->start_ns;
	use->last_ns = a->end_ns > use->last_ns ? a->end_ns : use->last_ns;
	job->last_ns = a->end_ns > job->last_ns ? a->end_ns : job->last_ns;
}

static void settle_spans(void *arg, u64 before_ns)
{
	struct seen_job *job = arg;

	for (int layer = 0; layer < LAYERS; layer++)
		cover_settle(&job->layers[layer].span, before_ns, NULL, NULL);
}

static void add_activities(struct timed_jobs *to, const struct traced *t,
			   const struct seen_layer *l)
{
	static const enum form forms[] = { FORM_READS, FORM_WRITES };

	for (int op = 0; op < 2; op++)
		for (u32 i = 0; i < l->files_n[op]; i++) {
			struct traced_file use = l->files[op][i];

			if (use.last_ns)
				timed_jobs_activity(
					to,
					(struct activity){ .job = to->n - 1,
							   .first_s = traced_s(t, use.first_ns),
							   .last_s = traced_s(t, use.last_ns) },
					forms[op], (use.last_ns - use.first_ns) / 1e9);
		}
}

static void add_traced_job(struct timed_jobs *to, const char *path, const struct traced *t,
			   const struct seen_job *job)
{
	u64 begin = t->in.begin_ns, end = begin + t->elapsed_ns;
	struct timed_job *j;
	int layer = 0;

	while (layer < LAYERS && !job->layers[layer].any)
		layer++;
	j = timed_jobs_add(to, path, traced_s(t, begin),
			   traced_s(t, end > job->last_ns ? end : job->last_ns));
	if (layer == LAYERS)
		return;
	j->all[VOLUME_PROCESSES] = job->layers[layer].processes.n;
	j->all[VOLUME_READ] = job->layers[layer].bytes[OP_READ];
	j->all[VOLUME_WRITE] = job->layers[layer].bytes[OP_WRITE];
	j->seconds[FORM_SPAN] = cover_total_ns(&job->layers[layer].span) / 1e9;
	if (job->layers[LAYER_VFS].any)
		timed_calls_count_files(&job->calls, j);
	if (t->opens && job->layers[LAYER_VFS].any)
		timed_calls_fill(&job->calls, j);
	add_activities(to, t, &job->layers[layer]);
}

int timed_jobs_read_trace(struct timed_jobs *to, const char *path)
{
	struct seen_job job = { .calls.shared_from = ~0ULL };
	struct traced t;
	int ret;

	if (to->mounts)
		return error(-EINVAL, "'%s' is a trace, which has no mount points for --mount",
			     path);
	ret = traced_open(&t, path);
	if (!ret)
		ret = traced_each(&t, add_job_access, settle_spans, &job);
	if (!ret && t.opens)
		ret = traced_each(&t, add_call, settle_calls, &job.calls);
	if (!ret)
		add_traced_job(to, path, &t, &job);
	for (int layer = 0; layer < LAYERS; layer++) {
		cover_release(&job.layers[layer].span);
		keys_release(&job.layers[layer].processes);
		free(job.layers[layer].files[0]);
		free(job.layers[layer].files[1]);
	}
	timed_calls_release(&job.calls);
	traced_close(&t);
	return ret;
}
