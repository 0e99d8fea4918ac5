// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the result of bench scale as JSON, and reads it to resume an interrupted evaluation. */
#include "bench/scale/scale-result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/output.h"
#include "user/base/seal.h"
#include "user/show/show.h"
#include "user/show/show-json.h"
#include "bench/model/traits-show.h"

static const char *const focal_words[] = { "half", "75" };

static struct out *range_json(const struct range *r)
{
	struct out *o = out_object();

	out_f64(o, "min", r->min);
	out_f64(o, "max", r->max);
	return o;
}

/* Returns the confidence intervals of the request size and the number of processes at the focal
 * point, as JSON. If kriging has estimated how much the speed of the machine drifts between
 * measurements, the intervals include this drift. */
static struct out *focal_band_json(const struct scale_result *r, const struct family *f)
{
	const struct kriging_scale *scale = &r->feedback.scale;
	double drift = scale->deviation > 0 ? scale->drift : 0;
	struct range size = evaluation_focal_band(&r->evaluation, f, PARAM_SIZE, drift);
	struct range procs = evaluation_focal_band(&r->evaluation, f, PARAM_PROCS, drift);
	struct out *o = out_object();

	out_put(o, parameters[PARAM_SIZE].key, range_json(&size));
	out_put(o, parameters[PARAM_PROCS].key, range_json(&procs));
	return o;
}

static struct out *axes_json(const struct evaluation *e)
{
	struct out *o = out_object();

	for (enum parameter p = 0; p < PARAMETERS; p++)
		out_put(o, parameters[p].key,
			p == PARAM_DEPTH && !e->with_depth ? NULL : range_json(&e->axes[p]));
	return o;
}

static struct out *samples_json(const struct sample *const *points, unsigned n)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < n; i++)
		out_append(list, sample_json(points[i]));
	return list;
}

/* Returns the points of the interrupted evaluation that the resumed evaluation has not used yet. */
static struct out *unneeded_json(const struct evaluation *e)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < e->earlier.n; i++) {
		const struct sample *s = e->earlier.list[i];

		if (!samples_find(&e->points, &s->at, s->ring))
			out_append(list, sample_json(s));
	}
	return list;
}

static struct out *scale_border_json(const struct drop *d)
{
	struct out *o = out_object();

	out_f64(o, "unique_bytes", d->at);
	out_put(o, "unique_bytes_band", range_json(&d->band));
	out_f64(o, "from_bytes", d->from);
	out_f64(o, "to_bytes", d->to);
	out_f64(o, "confidence", d->confidence);
	out_f64(o, "p", 1 - d->confidence);
	return o;
}

static struct out *curve_json(const struct sweep *s, const struct workload *focal)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < s->n; i++) {
		struct out *o = sample_json(s->points[i]);

		out_bool(o, "is_focal", sweep_value(s, i) == focal->v[s->along]);
		out_append(list, o);
	}
	return list;
}

static struct out *family_json(const struct scale_result *r, const struct family *f)
{
	struct out *o = out_object(), *curves = out_object(), *good = out_object();
	char from[NUM_TEXT], to[NUM_TEXT], text[WORKLOAD_TEXT];

	out_strf(o, "title", "region %td: %s to %s", f - r->evaluation.families + 1,
		 num_bytes_text(from, f->bytes.min), num_bytes_text(to, f->bytes.max));
	out_f64(o, "from_bytes", f->bytes.min);
	out_f64(o, "to_bytes", f->bytes.max);
	out_put(o, "focal", workload_json(&f->focal));
	out_str(o, "focal_description", workload_text(text, &f->focal));
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		if (!f->curves[p].n)
			continue;
		out_put(curves, parameters[p].key, curve_json(&f->curves[p], &f->focal));
		out_put(good, parameters[p].key, range_json(&f->good[p]));
	}
	out_put(o, "curves", curves);
	if (r->evaluation.focal_kind == FOCAL_75)
		out_put(o, "good_ranges", good);
	else
		out_free(good);
	if (r->evaluation.focal_kind == FOCAL_HALF)
		out_put(o, "focal_band", focal_band_json(r, f));
	return o;
}

/* Adds the results to @doc. Sets @regions to the region objects, which @doc owns. */
static void result_json(struct out *doc, const struct scale_result *r, struct out **regions)
{
	const struct evaluation *e = &r->evaluation;
	struct out *borders = out_array(), *families = out_array();

	for (unsigned i = 0; i < e->borders_n; i++)
		out_append(borders, scale_border_json(&e->borders[i]));
	for (unsigned i = 0; i < e->families_n; i++) {
		regions[i] = family_json(r, &e->families[i]);
		out_append(families, regions[i]);
	}
	out_put(doc, "sweep", samples_json(e->sweep.points, e->sweep.n));
	out_put(doc, "borders", borders);
	out_put(doc, "regions", families);
	out_put(doc, "points",
		samples_json((const struct sample *const *)e->points.list, e->points.n));
	out_put(doc, "unneeded_points", unneeded_json(e));
	out_null(doc, "validation");
}

/* Adds the traits (conclusions from the curves) to all regions of @doc, and then adds the hash of
 * @doc. Computes the traits from the curves in @doc, as programs that later read the file do. */
static struct out *with_traits(struct out *doc, const char *target, struct out **regions)
{
	struct model *m = model_of(out_keep(doc), target);

	for (unsigned i = 0; m && i < m->regions_n; i++)
		out_put(regions[i], "traits", traits_json(&m->regions[i]));
	model_free(m);
	seal(doc);
	return doc;
}

const char *scale_budget_text(char buf[BUDGET_TEXT], u64 budget_ns)
{
	char budget[NUM_TEXT];

	buf[0] = '\0';
	if (budget_ns)
		snprintf(buf, BUDGET_TEXT, " of %s", num_time_arg(budget, budget_ns));
	return buf;
}

static void put_title(struct out *doc, const struct scale_result *r)
{
	unsigned n = r->evaluation.points.n;
	char limit[NUM_TEXT], memory[NUM_TEXT + 16] = "", time[NUM_TEXT], budget[BUDGET_TEXT];

	if (r->how.memory)
		snprintf(memory, sizeof(memory), "%s of memory, ",
			 num_size_arg(limit, r->how.memory));
	out_strf(doc, "title", "bench scale %s: %s%s%u point%s in %s%s", r->how.target, memory,
		 r->how.direct ? "direct, " : "", n, num_word(n, "", "s"),
		 num_time_text(time, r->elapsed_ns), scale_budget_text(budget, r->budget_ns));
}

static void borders_conclusion(FILE *f, const struct evaluation *e)
{
	char at[NUM_TEXT], least[NUM_TEXT], most[NUM_TEXT];

	for (unsigned i = 0; i < e->borders_n; i++) {
		const struct drop *d = &e->borders[i];
		bool unknown = isnan(d->confidence), same = i && unknown == isnan(d[-1].confidence);

		fprintf(f, "%s%s%s (%s to %s)", i ? ", " : "; performance ",
			same		? "" :
				unknown ? "may fall at " :
					  "falls at ",
			num_bytes_text(at, d->at), num_bytes_text(least, d->band.min),
			num_bytes_text(most, d->band.max));
	}
	if (!e->borders_n && e->families_n && e->focal_kind == FOCAL_HALF)
		fprintf(f, "; no border: the whole range, %s to %s, is one region",
			num_bytes_text(least, e->families[0].bytes.min),
			num_bytes_text(most, e->families[0].bytes.max));
}

static void focal_conclusion(FILE *f, const struct evaluation *e)
{
	const char *between = "; bandwidth at the focal point of each region:";
	char bandwidth[NUM_TEXT];

	for (unsigned i = 0; i < e->families_n; i++) {
		const struct sample *s = samples_find(&e->points, &e->families[i].focal, false);

		if (!s)
			continue;
		fprintf(f, "%s %s", between, num_byte_rate_text(bandwidth, s->bandwidth));
		if (isnan(s->half_width))
			fprintf(f, " (unknown error)");
		else
			fprintf(f, " +-%.1f %%", s->half_width * 100);
		between = ",";
	}
}

static void put_conclusion(struct out *doc, const struct scale_result *r)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	fputs(r->complete ? "" : "; incomplete result", f);
	borders_conclusion(f, &r->evaluation);
	focal_conclusion(f, &r->evaluation);
	if (fclose(f))
		need(NULL);
	out_str(doc, "conclusion", text + strspn(text, "; "));
	free(text);
}

static void stacked_note(struct out *notes, const struct scale_result *r)
{
	const struct layers *l = r->layers;

	if (!l || !l->is_stacked)
		return;
	if (l->is_disk)
		out_append_strf(notes, "the device layer is that of the stacked disk %s", l->disk);
	else
		out_append_strf(notes,
				"'%s' is on the stacked disk %s, but the device layer is that of "
				"the disks below; to measure %s, give /dev/%s as TARGET",
				r->how.target, l->disk, l->disk, l->disk);
}

static void borders_note(struct out *notes, const struct evaluation *e)
{
	unsigned n = 0;

	for (unsigned i = 0; i < e->borders_n; i++)
		n += isnan(e->borders[i].confidence);
	if (n)
		out_append_strf(notes,
				"%u border%s may be noise: a point at one of %s ends was not "
				"steady, so p is unknown",
				n, num_word(n, "", "s"), num_word(n, "its", "their"));
}

static void notes_json(struct out *doc, const struct scale_result *r)
{
	const struct samples *all = &r->evaluation.points;
	struct out *notes = out_list(doc, "notes");
	unsigned n = 0;

	for (unsigned i = 0; i < all->n; i++)
		n += !all->list[i]->steady;
	if (n)
		out_append_strf(notes,
				"%u of %u point%s not steady, with a confidence interval of at "
				"least %.0f %%",
				n, all->n, num_word(all->n, "", "s"), HALF_NOT_STEADY * 100);
	borders_note(notes, &r->evaluation);
	stacked_note(notes, r);
	if (!r->complete)
		out_append_strf(notes, "incomplete result: %s",
				r->over ? "the budget is over" : "interrupted");
}

struct out *scale_document(const struct scale_result *r)
{
	const struct evaluation *e = &r->evaluation;
	struct out *doc = out_object(), *targets = out_array(), *regions[BORDERS + 1];

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench scale");
	out_u64(doc, "elapsed_ns", r->elapsed_ns);
	put_conclusion(doc, r);
	put_title(doc, r);
	out_append_str(targets, r->how.target);
	out_put(doc, "targets", targets);
	out_u64_or_null(doc, "memory_limit_bytes", r->how.memory, r->how.memory);
	out_bool(doc, "direct", r->how.direct);
	out_str(doc, "stacked_disk",
		r->layers && r->layers->is_stacked && r->layers->is_disk ? r->layers->disk : NULL);
	out_u64(doc, "budget_ns", r->budget_ns);
	out_f64(doc, "feedback_fraction", r->feedback_fraction);
	out_u64(doc, "seed", r->how.seed);
	out_str(doc, "focal_kind", focal_words[e->focal_kind]);
	out_bool(doc, "complete", r->complete);
	out_bool(doc, "over_budget", r->over);
	out_u64(doc, "buffer_bytes", e->buffer_bytes);
	out_put(doc, "axes", axes_json(e));
	result_json(doc, r, regions);
	feedback_json(doc, &r->feedback);
	if (r->layers && r->layers->m) {
		const struct report report = { .m = r->layers->m, .options = &r->layers->options };

		show_evidence_json(doc, &report);
	}
	notes_json(doc, r);
	out_share(doc, "environment", r->environment);
	seal(doc);
	return r->complete ? with_traits(doc, r->how.target, regions) : doc;
}

static int print_document(FILE *f, const void *doc)
{
	out_json(f, (struct out *)doc);
	return 0;
}

int scale_save(struct output *o, const struct scale_result *r)
{
	struct out *doc = scale_document(r);
	int ret = output_write(o, print_document, doc);

	out_free(doc);
	return ret;
}

/* Reads the ranges of the parameters. Returns false if a range is missing or invalid. Only the
 * range of the depth may be missing. */
static bool axes_read(const struct out *axes, struct evaluation *e)
{
	bool all = axes;

	e->with_depth = axes && out_get(axes, parameters[PARAM_DEPTH].key);
	for (enum parameter p = 0; p < PARAMETERS && all; p++) {
		const struct out *axis = out_get(axes, parameters[p].key);
		struct range *r = &e->axes[p];

		*r = (struct range){ 1, 1 };
		if (p == PARAM_DEPTH && !e->with_depth)
			continue;
		all = axis && out_get_f64(axis, "min", &r->min) &&
			out_get_f64(axis, "max", &r->max) && parameter_is_valid(p, r->min) &&
			parameter_is_valid(p, r->max) && r->min <= r->max;
	}
	return all;
}

static void read_target_name(void *to, const char *key, const struct out *value)
{
	*(const char **)to = out_text(value);
}

int scale_take_up(struct scale_result *r, const char *path, const struct out *doc)
{
	struct evaluation *e = &r->evaluation;
	const char *command = out_get_str(doc, "command"), *focal = out_get_str(doc, "focal_kind");
	const struct out *targets = out_get(doc, "targets");

	if (seal_check(doc))
		return error(-EBADMSG, "'%s' was changed after it was written: its hash differs",
			     path);
	if (targets)
		out_each(targets, read_target_name, &r->how.target);
	if (!command || strcmp(command, "bench scale") != 0 || !focal || !r->how.target ||
	    !out_get_u64(doc, "budget_ns", &r->budget_ns) ||
	    !out_get_u64(doc, "elapsed_ns", &r->elapsed_ns) ||
	    !out_get_f64(doc, "feedback_fraction", &r->feedback_fraction) ||
	    !out_get_u64(doc, "seed", &r->how.seed) ||
	    !out_get_u64(doc, "buffer_bytes", &e->buffer_bytes) ||
	    !axes_read(out_get(doc, "axes"), e))
		return error(-EINVAL, "'%s' is no result of bench scale", path);
	out_get_u64(doc, "memory_limit_bytes", &r->how.memory);
	r->how.direct = out_is_true(doc, "direct");
	e->focal_kind = !strcmp(focal, focal_words[FOCAL_75]) ? FOCAL_75 : FOCAL_HALF;
	samples_read(&e->earlier, doc);
	feedback_read(&r->feedback, doc);
	return 0;
}
