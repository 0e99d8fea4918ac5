// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/feedback.h"

#include <math.h>

#include "user/base/num.h"
#include "user/base/out.h"

/* ---- text ---- */

#define SHOWN 15 /* of the steps, about, and the last one */

static void row(struct table *t, const struct feedback_step *s)
{
	char text[NUM_TEXT];

	table_cell(t, "%s", num_time_text(text, s->elapsed_ns));
	table_cell(t, "%u", s->probes);
	for (enum method m = 0; m < METHODS; m++) {
		const struct errors *e = &s->error[m];

		table_per_cent(t, e->workloads ? e->share[ERROR_MEDIAN] : NAN);
		table_per_cent(t, e->workloads ? e->share[ERROR_P90] : NAN);
	}
	table_end_row(t);
}

void feedback_text(FILE *file, const struct feedback *f)
{
	static const char *const titles[] = {
		"after", "probes", "product: median", "90 %", "kriging: median", "90 %", NULL,
	};
	unsigned every = f->steps_n / SHOWN + 1;
	struct table *t;

	if (!f->steps_n)
		return;
	fprintf(file, "how far predictions of random workloads are off\n\n");
	t = table_titled(0, titles);
	for (unsigned i = (f->steps_n - 1) % every; i < f->steps_n; i += every)
		row(t, &f->steps[i]);
	table_text(file, t, "  ");
	table_free(t);
	fputc('\n', file);
}

/* ---- JSON ---- */

static struct out *scale_json(const struct kriging_scale *s)
{
	struct out *o = out_object(), *lengths = out_object();

	for (int i = 0; i < MODEL_DIRECTIONS; i++)
		out_f64(lengths, direction_key(i), s->length[i]);
	out_put(o, "lengths", lengths);
	out_f64(o, "deviation", s->deviation);
	out_f64(o, "noise_slow", s->noise[0]);
	out_f64(o, "noise_fast", s->noise[1]);
	out_f64(o, "drift", s->drift);
	out_f64(o, "memory", s->memory);
	return o;
}

static struct out *step_json(const struct feedback_step *s)
{
	struct out *o = out_object();

	out_u64(o, "elapsed_ns", s->elapsed_ns);
	out_u64(o, "probes", s->probes);
	for (enum method m = 0; m < METHODS; m++)
		out_put(o, method_words[m], errors_json(&s->error[m]));
	return o;
}

void feedback_json(struct out *doc, const struct feedback *f)
{
	struct out *steps = out_array();

	for (unsigned i = 0; i < f->steps_n; i++)
		out_append(steps, step_json(&f->steps[i]));
	out_put(doc, "feedback", steps);
	out_put(doc, "kriging", f->scale.deviation > 0 ? scale_json(&f->scale) : NULL);
}

static void read_step(void *arg, const char *key, const struct out *node)
{
	struct feedback *f = arg;
	struct feedback_step *s = &f->earlier[f->earlier_n];
	u64 probes;

	if (f->earlier_n == FEEDBACK_ROUNDS || !out_get_u64(node, "probes", &probes) ||
	    !out_get_u64(node, "elapsed_ns", &s->elapsed_ns))
		return;
	s->probes = probes;
	f->earlier_n++;
}

void feedback_read(struct feedback *f, const struct out *doc)
{
	const struct out *steps = out_get(doc, "feedback");

	f->earlier_n = 0;
	if (steps)
		out_each(steps, read_step, f);
}
