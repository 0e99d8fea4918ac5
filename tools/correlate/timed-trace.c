// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads one job from a trace, at the highest recorded layer: app, else vfs, else device. */
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/keys.h"
#include "user/metric/span.h"
#include "tools/correlate/sources.h"
#include "tools/correlate/timed-calls.h"
#include "tools/input/traced.h"

struct traced_file {
	/* first start and last end of the accesses to a file; last_ns is 0 if there are none */
	u64 first_ns, last_ns;
};

struct seen_layer {
	struct cover span;
	/* files[0]: files that were read; files[1]: files that were written. The index is the
	 * number of the file in the trace. At the device layer, each element is a disk. */
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

static struct traced_file *traced_file_of(struct seen_layer *l, int op, u32 file)
{
	u32 n = l->files_n[op];

	if (file >= n) {
		n = file + file / 2 + 16;
		l->files[op] = need(reallocarray(l->files[op], n, sizeof(**l->files)));
		for (u32 i = l->files_n[op]; i < n; i++)
			l->files[op][i] = (struct traced_file){ ~0ULL, 0 };
		l->files_n[op] = n;
	}
	return &l->files[op][file];
}

static void add_job_access(void *arg, const struct traced_access *a)
{
	const struct trace_stream *s = a->stream;
	struct seen_job *job = arg;
	struct seen_layer *l = &job->layers[s->layer];
	struct traced_file *use;

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
	use = traced_file_of(l, s->op, s->layer == LAYER_DEVICE ? s->disk : s->file);
	use->first_ns = a->start_ns < use->first_ns ? a->start_ns : use->first_ns;
	use->last_ns = a->end_ns > use->last_ns ? a->end_ns : use->last_ns;
	job->last_ns = a->end_ns > job->last_ns ? a->end_ns : job->last_ns;
}

static void settle_spans(void *arg, u64 before_ns)
{
	struct seen_job *job = arg;

	for (int layer = 0; layer < LAYERS; layer++)
		cover_settle(&job->layers[layer].span, before_ns, NULL, NULL);
}

static void add_call(void *arg, const struct traced_access *a)
{
	struct seen_job *job = arg;

	if (a->stream->layer == LAYER_VFS && !(a->flags & TRACE_UNSPANNED))
		timed_calls_add(&job->calls, a);
}

static void settle_calls(void *arg, u64 before_ns)
{
	struct seen_job *job = arg;

	timed_calls_settle(&job->calls, before_ns);
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
	if (t->opens && job->layers[LAYER_VFS].any)
		timed_calls_fill(&job->calls, j);
	add_activities(to, t, &job->layers[layer]);
}

int timed_jobs_read_trace(struct timed_jobs *to, const char *path)
{
	struct seen_job job = { .calls = TIMED_CALLS_NONE };
	struct traced t;
	int ret;

	if (to->mounts)
		return error(-EINVAL, "'%s' is a trace, which has no mount points for --mount",
			     path);
	ret = traced_open(&t, path);
	if (!ret)
		ret = traced_each(&t, add_job_access, settle_spans, &job);
	if (!ret && t.opens)
		ret = traced_each(&t, add_call, settle_calls, &job);
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
