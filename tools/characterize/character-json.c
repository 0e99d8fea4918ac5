// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts the criteria and the workload of a job at one layer to JSON. */
#include "tools/characterize/character-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/metric/measurement.h"
#include "tools/characterize/criteria.h"
#include "tools/characterize/surface.h"
#include "tools/characterize/workload-model.h"

static char *left_out_text(const struct job_workload *w)
{
	char n[NUM_TEXT];

	if (!w->empty && !w->unplaced)
		return NULL;
	num_count_text(n, w->all.n + w->empty + w->unplaced);
	return need_text(
		"of %s accesses, %llu with 0 bytes and %llu without a known file or offset "
		"are left out",
		n, (unsigned long long)w->empty, (unsigned long long)w->unplaced);
}

/* Puts command lines of `bench load` and `predict` that reproduce the workload @m. Puts null if no
 * access of @m has a start and an end, because the depth is then unknown. */
static void put_lines(struct out *o, const struct workload_model *m, u64 unique_bytes)
{
	bool known = !isnan(issuers_depth(&m->issuers));
	char *load = known ? workload_load_line(m, unique_bytes) : NULL;
	char *predict = known ? workload_predict_line(m, unique_bytes) : NULL;

	out_str(o, "bench_load", load);
	out_str(o, "predict", predict);
	free(load);
	free(predict);
}

static void put_model(struct out *o, struct workload_model *m)
{
	u128 unique_bytes = extents_bytes(&m->extents);

	out_u128(o, "unique_bytes", unique_bytes);
	out_f64(o, "size_mean_bytes", m->size_mean);
	out_f64(o, "size_cv", workload_model_cv(m));
	out_f64(o, "read_fraction", (double)m->reads / m->n);
	out_f64(o, "sequential_fraction", (double)m->sequential / m->n);
	out_f64(o, "process_count", issuers_processes(&m->issuers));
	out_f64(o, "depth", issuers_depth(&m->issuers));
	out_u64(o, "accesses", m->n);
	put_lines(o, m, unique_bytes < INT64_MAX ? unique_bytes : INT64_MAX);
}

/* Returns the behaviours as an array, or NULL if there is only one. The times in the array are
 * relative to @start_ns. */
static struct out *behaviours_json(struct behaviours *b, u64 start_ns)
{
	struct out *list = b->n > 1 ? out_array() : NULL;

	for (u32 i = 0; list && i < b->n; i++) {
		struct behaviour *one = &b->of[i];
		struct out *o = out_object();

		out_u64(o, "from_ns", one->from_ns - start_ns);
		out_u64(o, "to_ns", one->to_ns - start_ns);
		out_u64(o, "stretch_count", one->stretches);
		out_u64(o, "span_ns", cover_total_ns(&one->model.busy));
		put_model(o, &one->model);
		out_append(list, o);
	}
	return list;
}

/* the first PARAMETERS of these keys are the parameters of the workload model */
#define PARAMETERS 7
static const char *const keys[] = {
	"unique_bytes",	       "size_mean_bytes", "size_cv",  "read_fraction",
	"sequential_fraction", "process_count",	  "depth",    "accesses",
	"bench_load",	       "predict",	  "left_out", "behaviours",
};

static struct out *workload_model_json(const struct character *c)
{
	struct job_workload *w = c->requests ? &c->requests->workload : NULL;
	char *reason = w ? job_workload_reason(w, c->losses) :
			   need_text("counters have no offsets");
	char *left_out = reason ? NULL : left_out_text(w);
	struct out *o = out_object();

	out_str(o, "reason", reason);
	if (!reason) {
		put_model(o, &w->all);
		out_str(o, "left_out", left_out);
		out_put(o, "behaviours", behaviours_json(&w->behaviours, c->begin_ns));
	}
	for (size_t i = 0; reason && i < sizeof(keys) / sizeof(*keys); i++)
		out_null(o, keys[i]);
	free(left_out);
	free(reason);
	return o;
}

struct out *workload_model_rows(const struct out *layer)
{
	const struct out *workload = out_get(layer, "workload");
	struct out *rows = out_array();

	for (int i = 0; i < PARAMETERS && !out_get_str(workload, "reason"); i++) {
		struct out *row = out_object();

		out_str(row, "criterion", "workload");
		out_str(row, "key", keys[i]);
		out_share(row, "both", out_get(workload, keys[i]));
		out_append(rows, row);
	}
	return rows;
}

#define PARAMETER_COLUMNS \
	COLUMN_OF("unique_bytes", "uniqueBytes", VIEW_BYTES), \
		COLUMN_OF("size_mean_bytes", "sizeMean", VIEW_BYTES), \
		COLUMN_OF("size_cv", "CV of sizes", VIEW_RATIO), \
		COLUMN_OF("read_fraction", "readFrac", VIEW_FRACTION), \
		COLUMN_OF("sequential_fraction", "seqFrac", VIEW_FRACTION), \
		COLUMN_OF("process_count", "processNum", VIEW_RATIO), \
		COLUMN_OF("depth", "depth", VIEW_RATIO)

static const struct view_column parameter_columns[] = { PARAMETER_COLUMNS, {} };

static const struct view_column behaviour_columns[] = {
	COLUMN("from_ns", .title = "from"),
	COLUMN("to_ns", .title = "to"),
	COLUMN("stretch_count", .title = "stretches"),
	COLUMN("accesses"),
	COLUMN("span_ns", .title = "T"),
	PARAMETER_COLUMNS,
	{},
};

const struct view workload_model_views[] = {
	VIEW("workload", .columns = parameter_columns, .only_with = "accesses"),
	VIEW("workload.bench_load"),
	VIEW("workload.predict"),
	VIEW("workload.behaviours.*", .columns = behaviour_columns, .title = "behaviours"),
	VIEW("workload.left_out", .is_note = true),
	VIEW("workload.reason", .title = "no workload model"),
	{},
};

/* The JSON lists this many of the most common request sizes, and of the most common strides. */
#define COMMON 4

const char *const direction_names[DIRECTIONS] = { "read", "write", "both" };

char *criterion_title(const struct character *c, const struct criterion *what, u32 threshold)
{
	char buf[NUM_TEXT];

	if (!what->by_threshold)
		return need(strdup(what->title));
	return need_text("%s, c = %s", what->title, num_size_arg(buf, c->thresholds[threshold]));
}

static bool has_whole(const struct character *c, const struct criterion *what, enum direction d)
{
	return what->whole && !isnan(what->value(c, d, what->of));
}

static bool fits_u64(enum metric_kind kind, double v)
{
	return (kind == METRIC_COUNT || kind == METRIC_BYTES || kind == METRIC_TIME) && v >= 0 &&
		v < 0x1p64 && v == trunc(v);
}

struct out *criterion_object(const struct character *c, const struct criterion *what, u32 t)
{
	struct out *o = out_object();
	char *title = criterion_title(c, what, t);

	out_str(o, "criterion", what->number);
	out_str(o, "key", what->key);
	out_str(o, "title", title);
	if (what->by_threshold)
		out_u64(o, "threshold_bytes", c->thresholds[t]);
	else
		out_null(o, "threshold_bytes");
	free(title);
	return o;
}

static void criterion_json(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct out *o = criterion_object(c, what, t);

	for (int d = 0; d < DIRECTIONS; d++) {
		double v = what->word ? NAN : what->value(c, d, what->by_threshold ? t : what->of);

		if (what->word)
			out_str(o, direction_names[d], what->word(c, d));
		else if (has_whole(c, what, d))
			out_u128(o, direction_names[d], what->whole(c, d, what->of));
		else if (fits_u64(what->kind, v))
			out_u64(o, direction_names[d], v);
		else
			out_f64(o, direction_names[d], v);
	}
	out_append(to, o);
}

static struct out *sizes_json(const struct requests *r)
{
	struct out *list = out_array();

	for (u32 i = 0; i < SIZES_CLASSES; i++) {
		struct out *o;

		if (!r->sizes[DIR_BOTH].classes[i])
			continue;
		o = out_object();
		out_u64(o, "from_bytes", sizes_class_floor(i));
		out_u64(o, "read_requests", r->sizes[DIR_READ].classes[i]);
		out_u64(o, "write_requests", r->sizes[DIR_WRITE].classes[i]);
		out_append(list, o);
	}
	return list;
}

/* Lists the most common request sizes or, if @strides is true, the most common strides. A stride
 * towards lower offsets is negative. */
static struct out *common_json(const struct census *census, bool strides)
{
	struct out *list = out_array();
	struct counted top[COMMON];
	u32 n = census_top(census, top, COMMON);

	for (u32 i = 0; i < n; i++) {
		struct out *o = out_object();

		if (strides)
			out_f64(o, "bytes", (s64)top[i].value);
		else
			out_u64(o, "bytes", top[i].value);
		out_u64(o, "requests", top[i].count);
		out_append(list, o);
	}
	return list;
}

static struct out *operations_json(const struct requests *r)
{
	struct out *o = out_object();

	for (int i = 0; i < DIR_BOTH; i++)
		out_u64(o, direction_names[i], r->sizes[i].requests);
	for (int i = OP_WRITE + 1; i < OP_MAX; i++)
		if (r->others[i])
			out_u64(o, op_names[i], r->others[i]);
	return o;
}

/* Returns the syncs of the layer, or the flushes of the device layer; NULL: there are none. */
static struct out *syncs_json(const struct character *c)
{
	u64 n = c->requests->others[OP_SYNC] + c->requests->others[OP_FLUSH];
	u64 span_ns = cover_total_ns(&c->requests->syncing);
	char count[NUM_TEXT], time[NUM_TEXT];
	struct out *o;

	if (!n)
		return NULL;
	o = out_object();
	out_u64(o, "count", n);
	out_u64(o, "span_ns", span_ns);
	out_strf(o, "sentence", "%s %s: at least one in flight for %s, %.1f %% of the time",
		 num_count_text(count, n),
		 c->requests->others[OP_SYNC] ? num_word(n, "sync", "syncs") :
						num_word(n, "flush", "flushes"),
		 num_time_text(time, span_ns), 100.0 * span_ns / (c->elapsed_ns ?: 1));
	return o;
}

static struct out *servers_json(const struct counters *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->servers_n; i++) {
		struct moved cell = counters_of_server(c, i);
		struct out *o = out_object();

		out_str(o, "server", c->servers[i].name);
		for (int k = 0; k < COUNTERS; k++) {
			if (c->has >> k & 1)
				out_u128(o, counter_names[k], cell.of[k]);
			else
				out_null(o, counter_names[k]);
		}
		out_append(list, o);
	}
	return list;
}

static struct out *criteria_json(const struct character *c)
{
	struct out *list = out_array();

	criteria_each(c, list, criterion_json);
	return list;
}

/* Lists the burstiness rho for each interval length and threshold. */
static struct out *burstiness_json(const struct counters *c)
{
	struct surface *s = surface_of(c);
	struct out *list = out_array();

	for (u32 w = 0; w < s->widths_n; w++)
		for (u32 t = 0; t < s->thresholds_n; t++) {
			struct out *o = out_object();

			out_u64(o, "interval_ns", s->widths_ns[w]);
			out_u64(o, "threshold_bytes", s->thresholds[t]);
			for (int d = 0; d < DIRECTIONS; d++)
				out_f64(o, direction_names[d], s->rho[w][t][d]);
			out_append(list, o);
		}
	free(s);
	return list;
}

static struct out *commons_json(const struct requests *r, bool strides)
{
	struct out *o = out_object();

	for (int d = 0; d < DIR_BOTH; d++)
		out_put(o, direction_names[d],
			common_json(strides ? &r->steps.strides[d] : &r->sizes[d].census, strides));
	return o;
}

struct out *character_json(const struct character *c)
{
	struct out *o = out_object();
	char buf[NUM_TEXT];

	out_str(o, "layer", c->layer);
	out_strf(o, "title", "%s, %u interval%s of %s", c->layer, c->counters.n,
		 num_word(c->counters.n, "", "s"), num_time_arg(buf, c->counters.interval_ns));
	out_u64(o, "intervals", c->counters.n);
	out_put(o, "criteria", criteria_json(c));
	out_put(o, "sizes", c->requests ? sizes_json(c->requests) : NULL);
	out_put(o, "common_sizes", c->requests ? commons_json(c->requests, false) : NULL);
	out_put(o, "strides", c->requests ? commons_json(c->requests, true) : NULL);
	out_put(o, "operations", c->requests ? operations_json(c->requests) : NULL);
	out_put(o, "syncs", c->requests ? syncs_json(c) : NULL);
	out_put(o, "burstiness", burstiness_json(&c->counters));
	out_put(o, "servers", servers_json(&c->counters));
	out_put(o, "workload", workload_model_json(c));
	return o;
}

struct out *character_of_job(const struct character *c)
{
	struct out *o = out_object();

	out_str(o, "job", c->layer);
	out_u64(o, "start_ns", c->counters.start_ns);
	out_u64(o, "elapsed_ns", c->elapsed_ns);
	out_u64(o, "intervals", c->counters.n);
	out_u64(o, "server_count", c->counters.servers_n);
	out_put(o, "criteria", criteria_json(c));
	return o;
}
