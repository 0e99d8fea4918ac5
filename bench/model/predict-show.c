// SPDX-License-Identifier: GPL-2.0-or-later
/* Shows the prediction for a workload, and the known errors of predictions. */
#include "bench/model/predict-show.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "bench/model/traits-show.h"

static const char *const band_words[] = {
	NULL, "points", "probes", "validation", "border",
};

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

/* Returns the parameters in the bit set @set, with the ranges in which they were measured. */
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

char *outside_text(const struct prediction *p)
{
	char *text = NULL;

	for (enum parameter i = 0; i < PARAMETERS; i++) {
		char *before = text;

		if (!((p->outside | p->unknown) >> i & 1))
			continue;
		text = need_text("%s%s%s", before ?: "", before ? ", " : "", parameters[i].title);
		free(before);
	}
	return text;
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
		out_put(predicted, quantities[q],
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

static void put_conclusion(struct out *doc, const struct prediction *p)
{
	static const char *const ranges[] = {
		[BAND_POINTS] = "these are 95 % confidence intervals of the points, without the "
				"error of the model",
		[BAND_PROBES] = "90 % of the random probes had at most this error",
		[BAND_VALIDATION] = "90 % of the validated workloads had at most this error",
		[BAND_BORDER] = "these are the ranges of the regions on both sides of the border",
	};
	const struct estimate *e = &p->of[QUANTITY_BANDWIDTH];
	char value[NUM_TEXT], low[NUM_TEXT], high[NUM_TEXT];

	num_byte_rate_text(value, e->value);
	if (isnan(e->value))
		out_str(doc, "conclusion",
			"nothing is predicted, because this region has no curves; continue the "
			"benchmark with 'iospan bench scale --resume'");
	else if (isnan(e->low))
		out_strf(doc, "conclusion", "the predicted bandwidth is %s, with an unknown error",
			 value);
	else
		out_strf(doc, "conclusion",
			 "the predicted bandwidth is %s; a measurement is expected from %s to %s: "
			 "%s",
			 value, num_byte_rate_text(low, e->low), num_byte_rate_text(high, e->high),
			 ranges[p->band]);
}

/* Returns the known errors of earlier predictions as JSON: errors for the workloads of a
 * validation, and errors for random probes. */
static struct out *known_errors_json(const struct model *m)
{
	const struct {
		const char *key;
		const struct errors *of;
	} all[] = {
		{ "workloads_outside_borders", &m->outside },
		{ "workloads_at_borders", &m->inside },
		{ "probes_by_product", &m->probed[METHOD_PRODUCT] },
		{ "probes_by_kriging", &m->probed[METHOD_KRIGING] },
	};
	struct out *o = out_object();

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		out_put(o, all[i].key, all[i].of->workloads ? errors_json(all[i].of) : NULL);
	return o;
}

static void limit_note(struct out *notes, const struct prediction *p, enum parameter i)
{
	struct range range = measured_range(p->region, i);
	char v[NUM_TEXT], min[NUM_TEXT], max[NUM_TEXT];

	parameter_text(v, i, p->at.v[i]);
	parameter_text(min, i, range.min);
	parameter_text(max, i, range.max);
	if (p->outside >> i & 1)
		out_append_strf(notes,
				"--%s %s is outside the measured range of the curve, %s to %s: the "
				"nearest of these values is used",
				parameters[i].option, v, min, max);
	if (p->unknown >> i & 1)
		out_append_strf(notes,
				"--%s was not varied, so the effect of %s is unknown: %s is used",
				parameters[i].option, v, min);
}

static struct out *predict_notes_json(const struct model *m, const struct prediction *p)
{
	struct out *notes = out_array();
	char a[NUM_TEXT], b[NUM_TEXT];

	if (p->border)
		out_append_strf(notes,
				"the workload is at a border, %s to %s, where performance changes "
				"steeply and is less stable",
				num_bytes_text(a, p->border->range.min),
				num_bytes_text(b, p->border->range.max));
	for (enum parameter i = 0; i < PARAMETERS; i++)
		limit_note(notes, p, i);
	if (!m->complete)
		out_append_str(notes,
			       "the benchmark is incomplete; the prediction uses the points "
			       "that it measured");
	return notes;
}

void predict_put(struct out *doc, const struct model *m, const struct prediction *p)
{
	char text[WORKLOAD_TEXT];

	put_conclusion(doc, p);
	out_str(doc, "title", workload_text(text, &p->at));
	out_put(doc, "prediction", predict_json(m, p));
	out_put(doc, "prediction_errors", known_errors_json(m));
	out_put(doc, "traits", traits_json(p->region));
	out_put(doc, "notes", predict_notes_json(m, p));
}

static const struct view_column predicted[] = {
	COLUMN_OF("@", "", VIEW_NAME),
	COLUMN("value", .title = "predicted"),
	COLUMN("low"),
	COLUMN("high"),
	{},
};

static const struct view_column region[] = {
	COLUMN_OF("region_number", "region", VIEW_COUNT),
	COLUMN("from_bytes", .title = "from"),
	COLUMN("to_bytes", .title = "to"),
	WORKLOAD_COLUMNS("focal.", "focal point: "),
	{},
};

static const struct view_column errors[] = {
	COLUMN_OF("@", "error of predictions", VIEW_NAME),
	COLUMN("workload_count", .title = "workloads"),
	ERROR_COLUMNS("error", "median"),
	{},
};

static const struct view traits[] = {
	VIEW("sentences.*"),
	{},
};

const struct view predict_views[] = {
	VIEW("conclusion"),
	VIEW("title"),
	VIEW("prediction.predicted.*", .columns = predicted, .left = 1, .only_with = "value",
	     .is_csv = true),
	VIEW("prediction.region", .columns = region, .is_head = true),
	VIEW("prediction_errors.*", .columns = errors, .left = 1, .only_with = "workload_count"),
	VIEW("prediction.method", .title = "method"),
	VIEW("result", .title = "result"),
	VIEW("traits", .title = "the storage in this region", .inner = traits),
	VIEW("notes.*", .is_note = true),
	{},
};
