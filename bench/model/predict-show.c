// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/model/predict-show.h"

#include <math.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"

static const char *const band_words[] = {
	NULL, "points", "probes", "validation", "border",
};

/* ---- a prediction as text ---- */

static void predict_table_text(FILE *f, const struct prediction *p)
{
	static const char *const titles[] = { "", "predicted", "low", "high", NULL };
	struct table *t = table_titled(1, titles);
	char buf[NUM_TEXT];

	for (enum quantity q = 0; q < QUANTITIES; q++) {
		const struct estimate *e = &p->of[q];
		const double values[] = { e->value, e->low, e->high };

		table_cell(t, "%s", quantities[q].title);
		for (int i = 0; i < 3; i++)
			table_cell(t, "%s", quantities[q].text(buf, values[i]));
		table_end_row(t);
	}
	table_text(f, t, "  ");
	table_free(t);
}

static void region_text(FILE *f, const struct model *m, const struct prediction *p)
{
	const struct range *bytes = &p->region->bytes;
	char a[NUM_TEXT], b[NUM_TEXT], focal[WORKLOAD_TEXT];

	fprintf(f, "  region: %td of %u, unique bytes from %s to %s\n", p->region - m->regions + 1,
		m->regions_n, num_bytes_text(a, bytes->min), num_bytes_text(b, bytes->max));
	fprintf(f, "  focal point: %s\n", workload_text(focal, &p->region->focal));
}

static void band_text(FILE *f, const struct model *m, const struct prediction *p)
{
	const struct errors *e = p->border ? &m->inside : &m->outside;

	switch (p->band) {
	case BAND_POINTS:
		fprintf(f,
			"  band: 95 %% confidence intervals of the points; without the error of "
			"the "
			"model, as the result has no validation\n");
		break;
	case BAND_PROBES:
		e = &m->probed[p->method];
		fprintf(f,
			"  band: 90 %% of %llu random probes of the benchmark were predicted "
			"within "
			"%.1f %%, half within %.1f %%\n",
			(unsigned long long)e->workloads, e->share[ERROR_P90] * 100,
			e->share[ERROR_MEDIAN] * 100);
		break;
	case BAND_VALIDATION:
		fprintf(f,
			"  band: 90 %% of %llu validated workloads %s were predicted within "
			"%.1f %%, half within %.1f %%\n",
			(unsigned long long)e->workloads,
			p->border ? "at a border" : "outside borders", e->share[ERROR_P90] * 100,
			e->share[ERROR_MEDIAN] * 100);
		break;
	case BAND_BORDER:
		fprintf(f,
			"  band: includes the bands of the regions on both sides of the border\n");
		break;
	case BAND_NONE:
		fprintf(f, "  band: not known\n");
	}
}

static void limits_text(FILE *f, const struct prediction *p)
{
	char v[NUM_TEXT], min[NUM_TEXT], max[NUM_TEXT];

	for (enum parameter i = 0; i < PARAMETERS; i++) {
		struct range range = measured_range(p->region, i);

		parameter_text(v, i, p->at.v[i]);
		parameter_text(min, i, range.min);
		parameter_text(max, i, range.max);
		if (p->outside >> i & 1)
			note(f,
			     "--%s %s is outside the measured range, %s to %s: the "
			     "nearest of these values is used",
			     parameters[i].option, v, min, max);
		if (p->unknown >> i & 1)
			note(f,
			     "--%s was not varied, so the effect of %s is unknown: %s "
			     "is used",
			     parameters[i].option, v, min);
	}
}

void predict_text(FILE *f, const struct model *m, const struct prediction *p)
{
	char a[NUM_TEXT], b[NUM_TEXT], text[WORKLOAD_TEXT];

	fprintf(f, "%s\n\n", workload_text(text, &p->at));
	predict_table_text(f, p);
	fputc('\n', f);
	region_text(f, m, p);
	if (p->method == METHOD_KRIGING)
		fprintf(f,
			"  method: kriging over all points, which had lower errors than the "
			"product "
			"of the curves\n");
	band_text(f, m, p);
	if (p->border)
		note(f,
		     "the workload is at a border, %s to %s, where performance changes "
		     "steeply and is less stable",
		     num_bytes_text(a, p->border->range.min),
		     num_bytes_text(b, p->border->range.max));
	limits_text(f, p);
	if (!m->complete)
		note(f,
		     "the benchmark is incomplete; the prediction uses the points that "
		     "it measured");
}

/* ---- a prediction as JSON ---- */

static void put_range(struct out *o, struct range r)
{
	out_f64(o, "from_bytes", r.min);
	out_f64(o, "to_bytes", r.max);
}

static struct out *region_json(const struct model *m, const struct region *r)
{
	struct out *o = out_object();

	out_u64(o, "region_number", r - m->regions + 1);
	put_range(o, r->bytes);
	out_put(o, "focal", workload_json(&r->focal));
	return o;
}

static struct out *predict_border_json(const struct border *b)
{
	struct out *o = out_object();

	out_f64(o, "unique_bytes", b->bytes);
	put_range(o, b->range);
	out_f64(o, "confidence", b->confidence);
	return o;
}

/* Returns a JSON list of the parameters in @set (bit p: parameter p), with their measured
 * ranges. */
static struct out *limits_json(const struct prediction *p, unsigned set)
{
	struct out *list = out_array();

	for (enum parameter i = 0; i < PARAMETERS; i++) {
		struct range range = measured_range(p->region, i);
		struct out *o;

		if (!(set >> i & 1))
			continue;
		o = out_object();
		out_str(o, "parameter", parameters[i].key);
		out_f64(o, "min", range.min);
		out_f64(o, "max", range.max);
		out_append(list, o);
	}
	return list;
}

struct out *estimate_json(const struct estimate *e)
{
	struct out *o = out_object();

	out_f64(o, "value", e->value);
	out_f64(o, "low", e->low);
	out_f64(o, "high", e->high);
	return o;
}

struct out *predict_json(const struct model *m, const struct prediction *p)
{
	struct out *o = out_object(), *predicted = out_object();

	out_put(o, "workload", workload_json(&p->at));
	for (enum quantity q = 0; q < QUANTITIES; q++)
		out_put(predicted, quantities[q].key,
			isnan(p->of[q].value) ? NULL : estimate_json(&p->of[q]));
	out_put(o, "predicted", predicted);
	out_str(o, "method", method_words[p->method]);
	out_str(o, "band_from", band_words[p->band]);
	out_put(o, "region", region_json(m, p->region));
	out_put(o, "border", p->border ? predict_border_json(p->border) : NULL);
	out_put(o, "extrapolated", limits_json(p, p->outside));
	out_put(o, "not_varied", limits_json(p, p->unknown));
	return o;
}
