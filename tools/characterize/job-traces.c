// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the accesses of a job from traces, by layer. A server (counters.h) is a disk at the device
 * layer, and a file system at the other layers. */
#include <stdlib.h>
#include <string.h>

#include "user/base/out-read.h"
#include "user/host/dev.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "tools/input/input.h"
#include "tools/input/traced.h"
#include "tools/characterize/job-traces.h"

#define DEFAULT_INTERVAL_NS 1000000000ULL
#define SERVERS_MAX (1U << 16)

struct reading_job {
	struct job *job;
	struct input input;
	struct visits visits;
	struct keys servers[LAYERS];
};

static char *server_name(const struct names *names, const struct trace_stream *s, const char *host)
{
	const struct trace_name *file = names->of[TRACE_FILE][s->file];
	char buf[DEV_TEXT];

	if (s->layer == LAYER_DEVICE)
		return names_title(names, TRACE_DISK, s->disk);
	return need_text("%s%s%s", host ?: "", host ? ":" : "",
			 file->dev ? dev_text(buf, file->dev) : "(unknown)");
}

/* Returns the index of the first trace that was recorded on the same host as @trace. The result
 * identifies the host, because it is equal for all traces of one host. */
static u32 first_of_host(const struct input *in, u32 trace)
{
	u32 first = 0;

	while (strcmp(in->traces[first].host ?: "", in->traces[trace].host ?: "") != 0)
		first++;
	return first;
}

/* Returns an id of the disk or file system of stream @s. Two hosts may use the same device number
 * for different file systems, so the id also identifies the host. @trace: the first trace of the
 * host (first_of_host()). */
static u64 server_key(const struct input *in, const struct trace_stream *s, u32 trace)
{
	if (s->layer == LAYER_DEVICE)
		return s->disk;
	return in->names.of[TRACE_FILE][s->file]->dev |
		(in->traces[trace].host ? (u64)(trace + 1) << 32 : 0);
}

static u32 server_of(struct reading_job *r, const struct trace_stream *s, u32 trace)
{
	struct keys *keys = &r->servers[s->layer];
	struct counters *c = &r->job->of[s->layer].counters;
	u32 server = keys_number(keys, server_key(&r->input, s, trace), SERVERS_MAX);

	if (server == c->servers_n) {
		char *name = server_name(&r->input.names, s, r->input.traces[trace].host);

		counters_server(c, name);
		free(name);
	}
	return server;
}

static void start_layer(struct reading_job *r, int layer)
{
	struct character *c = &r->job->of[layer];

	c->layer = layer_names[layer];
	c->requests = need(calloc(1, sizeof(*c->requests)));
	c->requests->small = r->job->small;
	counters_init(&c->counters, input_from_ns(&r->input),
		      r->job->interval_ns ?: DEFAULT_INTERVAL_NS);
	job_workload_init(&c->requests->workload, c->counters.interval_ns);
	c->counters.has = 1 << COUNTER_READ_BYTES | 1 << COUNTER_READS | 1 << COUNTER_WRITE_BYTES |
		1 << COUNTER_WRITES;
}

static void add_access(struct reading_job *r, const struct input_batch *p, u32 i, u32 trace)
{
	const struct trace_batch *b = p->accesses;
	const struct trace_stream *s = &p->streams->list[b->stream[i]];
	struct visit v;

	/* accesses of stacked disks reach other disks, and would be counted twice */
	if (input_is_stacked(&r->input, s) && !r->input.filter.text[TRACE_DISK])
		return;
	r->job->is_stacked |= input_is_stacked(&r->input, s);
	if (!r->job->of[s->layer].layer)
		start_layer(r, s->layer);
	v = (struct visit){
		.start_ns = b->start_ns[i],
		.end_ns = b->end_ns[i],
		.bytes = b->bytes[i],
		.offset = b->offset[i],
		.process = s->process,
		.file = s->file,
		.layer = s->layer,
		.op = s->op,
		.flags = b->flags[i],
	};
	if (v.op <= OP_WRITE || v.op >= OP_OPEN)
		v.server = server_of(r, s, trace);
	visits_add(&r->visits, &v);
}

static void add_wait(struct job *j, const struct visit *v)
{
	bool moves = v->op <= OP_WRITE && !(v->flags & TRACE_UNSPANNED);
	bool waiting = v->layer == LAYER_VFS && (moves || v->op == OP_SYNC);
	bool working = v->layer == LAYER_DEVICE && moves;

	if (waiting)
		cover_add(&j->waiting, v->start_ns, v->end_ns);
	if (working)
		cover_add(&j->working, v->start_ns, v->end_ns);
	if (waiting || working)
		cover_add(&j->either, v->start_ns, v->end_ns);
	if (working || (waiting && !moves))
		cover_add(&j->syncing, v->start_ns, v->end_ns);
}

static void visit(void *arg, const struct visit *v)
{
	struct reading_job *r = arg;

	if (r->job->for_forecast)
		add_wait(r->job, v);
	character_visit(&r->job->of[v->layer], v);
}

static void settle_all(struct reading_job *r, u64 before_ns)
{
	visits_settle(&r->visits, before_ns, visit, r);
	for (int layer = 0; layer < LAYERS; layer++)
		if (r->job->of[layer].layer)
			character_settle(&r->job->of[layer], before_ns);
	cover_settle(&r->job->waiting, before_ns, NULL, NULL);
	cover_settle(&r->job->working, before_ns, NULL, NULL);
	cover_settle(&r->job->either, before_ns, NULL, NULL);
	cover_settle(&r->job->syncing, before_ns, NULL, NULL);
}

static void add_batch(struct reading_job *r, const struct input_batch *p)
{
	u32 trace = 0;

	while (&r->input.traces[trace].streams != p->streams)
		trace++;
	trace = first_of_host(&r->input, trace);
	settle_all(r, p->before_ns);
	for (u32 i = 0; i < p->accesses->n; i++)
		add_access(r, p, i, trace);
}

static void add_evidence(void *arg, const char *path, const struct trace_reader *reader)
{
	struct job *j = arg;

	evidence_add(&j->evidence, j->live ? "(live)" : path, reader);
}

static int open_traces(struct reading_job *r)
{
	struct job *j = r->job;
	s64 *shifts;
	u32 n = 0;
	int ret;

	while (j->paths[n])
		n++;
	r->input.done = add_evidence;
	r->input.arg = j;
	r->input.filter = j->filter;
	shifts = need(calloc(n, sizeof(*shifts)));
	ret = input_open(&r->input, j->paths, n, shifts, TRACE_OFFSET, j->from_ns, j->to_ns);
	free(shifts);
	return ret;
}

/* Returns true if all traces recorded opens and closes. If one trace did not, the numbers of opens
 * and closes are unknown, not 0. */
static bool saw_opens(const struct evidence *e)
{
	bool all = e->n;

	for (u32 i = 0; i < e->n; i++)
		all &= out_is_true(e->files[i].meta, "has_opens");
	return all;
}

/* Sets the number of intervals from the elapsed time, because the job may end with intervals
 * without I/O. */
static int finish_counters(struct reading_job *r)
{
	struct job *j = r->job;

	input_done(&r->input);
	j->begin_ns = r->input.begin_ns;
	j->elapsed_ns = input_elapsed_ns(&r->input, evidence_elapsed_ns(&j->evidence));
	j->accesses = r->input.accesses;
	j->late = r->visits.late;
	if (saw_opens(&j->evidence))
		j->of[LAYER_VFS].counters.has |= COUNTS_OPENS;
	for (int layer = 0; layer < LAYERS; layer++) {
		struct counters *c = &j->of[layer].counters;
		u64 n;

		if (!j->of[layer].layer)
			continue;
		n = j->elapsed_ns / c->interval_ns + !!(j->elapsed_ns % c->interval_ns);
		if (n > c->n && n <= CELLS_MAX)
			c->n = n;
		if (n > CELLS_MAX || counters_full(c))
			return error(-E2BIG,
				     "too many intervals and servers; give a longer "
				     "--interval, or --from and --to");
	}
	return 0;
}

int job_read_traces(struct job *j)
{
	struct reading_job r = { .job = j };
	struct input_batch p;
	int ret = open_traces(&r);

	if (!ret)
		j->epoch_ns = traced_epoch_ns(&r.input);
	if (!ret)
		while ((ret = input_next(&r.input, &p)) > 0)
			add_batch(&r, &p);
	if (!ret && !j->is_part)
		ret = input_check_matches(&r.input);
	if (!ret) {
		settle_all(&r, ~0ULL);
		ret = finish_counters(&r);
	}
	visits_release(&r.visits);
	for (int layer = 0; layer < LAYERS; layer++)
		keys_release(&r.servers[layer]);
	input_close(&r.input);
	return ret;
}
