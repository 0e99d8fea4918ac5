// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/input/traced.h"
#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/metric/loss.h"
#include "user/trace/trace-read.h"

struct any_loss {
	u64 accesses;
	bool found;
};

static void find_loss(void *arg, const char *key, const struct out *value)
{
	struct any_loss *any = arg;
	u64 n;

	any->found |= out_u64_of(value, &n) && n && !loss_is_small(key, n, any->accesses);
}

bool traced_any_loss(const struct out *doc)
{
	struct any_loss any = { .accesses = loss_device_accesses(doc) };

	out_each(out_get(doc, "losses"), find_loss, &any);
	return any.found;
}

static void note_recording(void *arg, const char *path, const struct trace_reader *reader)
{
	const struct trace_state *s = trace_state(reader);
	struct traced *t = arg;
	u64 ns;

	t->incomplete |= !s->whole || s->bad_chunks || s->unknown || s->ignored_bytes ||
		s->file != t->next_file || traced_any_loss(trace_sums(reader));
	t->followed = s->followed;
	t->next_file = s->file + 1;
	if (out_get_u64(trace_sums(reader), "elapsed_ns", &ns) && ns > t->elapsed_ns)
		t->elapsed_ns = ns;
	t->opens |= out_is_true(trace_meta(reader), "has_opens");
}

s64 traced_epoch_ns(const struct input *in)
{
	const struct trace_reader *r = in->n ? in->traces[0].reader : NULL;
	u64 ns, real_ns;

	if (!r || !out_get_u64(trace_meta(r), "written_from_ns", &ns) ||
	    !out_get_u64(trace_meta(r), "written_from_realtime_ns", &real_ns))
		return 0;
	return real_ns - ns;
}

int traced_open(struct traced *t, const char *path)
{
	char *paths[] = { (char *)path };
	const s64 none = 0;
	int ret;

	*t = (struct traced){ .path = path,
			      .in.filter = TRACE_FILTER_ALL,
			      .in.done = note_recording };
	t->in.arg = t;
	ret = input_open(&t->in, paths, 1, &none, 0, 0, 0);
	if (!ret)
		t->epoch_s = traced_epoch_ns(&t->in) / 1e9;
	return ret;
}

void traced_close(struct traced *t)
{
	input_close(&t->in);
}

double traced_s(const struct traced *t, u64 ns)
{
	return ns / 1e9 + t->epoch_s;
}

static void call_each(const struct input *in, const struct input_batch *batch,
		      void (*fn)(void *arg, const struct traced_access *a), void *arg)
{
	const struct trace_batch *b = batch->accesses;

	for (u32 i = 0; i < b->n; i++) {
		struct traced_access a = { &batch->streams->list[b->stream[i]], b->start_ns[i],
					   b->end_ns[i], b->bytes[i], b->flags[i] };

		if (!input_is_stacked(in, a.stream))
			fn(arg, &a);
	}
}

int traced_each(struct traced *t, void (*fn)(void *arg, const struct traced_access *a),
		void (*settle)(void *arg, u64 before_ns), void *arg)
{
	struct input_batch batch;
	int ret = input_rewind(&t->in);

	while (ret >= 0 && (ret = input_next(&t->in, &batch)) > 0) {
		call_each(&t->in, &batch, fn, arg);
		if (settle)
			settle(arg, batch.before_ns);
	}
	if (!ret && t->in.done && (t->incomplete || t->followed))
		warn_loss("'%s' is incomplete; iospan report shows the losses", t->path);
	t->in.done = NULL;
	return ret;
}
