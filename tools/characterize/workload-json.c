// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/workload-json.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "tools/characterize/workload-options.h"

/* There is no model if more than this fraction of the accesses have no known file or offset. */
#define UNPLACED_MAX 0.05

static char *counted_text(u64 n, const char *rest)
{
	return need_text("%llu access%s %s", (unsigned long long)n, num_word(n, "", "es"), rest);
}

/* Returns why there is no model, or NULL if there is one. The caller frees the text. */
static char *reason_of(const struct character *c)
{
	const struct workload_model *m = c->requests ? &c->requests->workload : NULL;

	if (!m)
		return need_text("counters have no offsets");
	if (c->losses)
		return need_text("the trace lacks accesses, see the losses");
	if (m->unplaced > UNPLACED_MAX * (m->n + m->empty + m->unplaced))
		return counted_text(m->unplaced, "without a known file and offset");
	if (!m->n)
		return need_text("no access moved bytes");
	if (m->extents.full)
		return need_text("more than %u separate ranges of bytes were accessed",
				 EXTENTS_MAX / 2);
	if (isnan(issuers_depth(&m->issuers)))
		return need_text("no access has a start and an end");
	return NULL;
}

static char *left_out_text(const struct workload_model *m)
{
	char n[NUM_TEXT];

	if (!m->empty && !m->unplaced)
		return NULL;
	num_count_text(n, m->n + m->empty + m->unplaced);
	return need_text(
		"of %s accesses, %llu with 0 bytes and %llu without a known file or offset "
		"are left out",
		n, (unsigned long long)m->empty, (unsigned long long)m->unplaced);
}

static void put_lines(struct out *o, const struct workload_model *m, u64 unique_bytes)
{
	char *load = workload_load_line(m, unique_bytes);
	char *predict = workload_predict_line(m, unique_bytes);

	out_str(o, "bench_load", load);
	out_str(o, "predict", predict);
	free(load);
	free(predict);
}

static void put_model(struct out *o, struct workload_model *m)
{
	u128 unique_bytes = extents_bytes(&m->extents);
	char *left_out = left_out_text(m);

	out_u128(o, "unique_bytes", unique_bytes);
	out_f64(o, "size_mean_bytes", m->size_mean);
	out_f64(o, "size_cv", workload_model_cv(m));
	out_f64(o, "read_fraction", (double)m->reads / m->n);
	out_f64(o, "sequential_fraction", (double)m->sequential / m->n);
	out_f64(o, "process_count", issuers_processes(&m->issuers));
	out_f64(o, "depth", issuers_depth(&m->issuers));
	out_u64(o, "accesses", m->n);
	put_lines(o, m, unique_bytes < INT64_MAX ? unique_bytes : INT64_MAX);
	out_str(o, "left_out", left_out);
	free(left_out);
}

/* The first PARAMETERS keys are those of the parameters. */
#define PARAMETERS 7
static const char *const keys[] = {
	"unique_bytes",	       "size_mean_bytes", "size_cv",  "read_fraction",
	"sequential_fraction", "process_count",	  "depth",    "accesses",
	"bench_load",	       "predict",	  "left_out",
};

struct out *workload_model_json(const struct character *c)
{
	struct out *o = out_object();
	char *reason = reason_of(c);

	out_str(o, "reason", reason);
	if (!reason)
		put_model(o, &c->requests->workload);
	for (size_t i = 0; reason && i < sizeof(keys) / sizeof(*keys); i++)
		out_null(o, keys[i]);
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

const struct view_column workload_model_columns[] = {
	COLUMN_OF("unique_bytes", "uniqueBytes", VIEW_BYTES),
	COLUMN_OF("size_mean_bytes", "sizeMean", VIEW_BYTES),
	COLUMN_OF("size_cv", "CV of sizes", VIEW_RATIO),
	COLUMN_OF("read_fraction", "readFrac", VIEW_FRACTION),
	COLUMN_OF("sequential_fraction", "seqFrac", VIEW_FRACTION),
	COLUMN_OF("process_count", "processNum", VIEW_RATIO),
	COLUMN_OF("depth", "depth", VIEW_RATIO),
	{},
};
