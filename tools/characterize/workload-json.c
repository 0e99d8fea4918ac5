// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/character-json.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
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

/* Puts null if no access of @m has a start and an end, which gives no depth. */
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

/* Returns the behaviours as an array, or NULL if there is only one. @start_ns: their times count
 * from here. */
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

/* The first PARAMETERS keys are those of the parameters. */
#define PARAMETERS 7
static const char *const keys[] = {
	"unique_bytes",	       "size_mean_bytes", "size_cv",  "read_fraction",
	"sequential_fraction", "process_count",	  "depth",    "accesses",
	"bench_load",	       "predict",	  "left_out", "behaviours",
};

struct out *workload_model_json(const struct character *c)
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
