// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares results of b_eff_io: of runs with different hints, or from several files. */
#include "bench/beff/beff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/result/result.h"

static void put_best_hints(struct out *doc, struct out *const *runs, unsigned n, unsigned wanted)
{
	const char *hints = NULL, *name = out_get_str(runs[0], "result_name");
	unsigned complete = 0;
	double best = NAN, value;
	char text[NUM_TEXT], missing[64] = "";

	for (unsigned i = 0; i < n; i++) {
		complete += out_is_true(runs[i], "complete");
		if (out_get_f64(runs[i], "b_eff_io_bytes_per_second", &value) && !(value <= best)) {
			best = value;
			hints = out_get_str(runs[i], "hints_file");
		}
	}
	if (complete < wanted)
		snprintf(missing, sizeof(missing), "; only %u of %u runs are complete", complete,
			 wanted);
	if (isnan(best))
		out_strf(doc, "conclusion", "%s is unknown: the result is incomplete", name);
	else
		out_strf(doc, "conclusion", "%s is highest with the hints '%s': %s%s", name,
			 hints ?: "none", num_byte_rate_text(text, best), missing);
}

struct out *beff_runs_document(struct out *const *runs, unsigned n, unsigned wanted)
{
	struct out *doc = out_object(), *list = out_array();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench beff");
	out_null(doc, "elapsed_ns");
	put_best_hints(doc, runs, n, wanted);
	for (unsigned i = 0; i < n; i++)
		out_append(list, runs[i]);
	out_put(doc, "runs", list);
	return doc;
}

struct comparison {
	struct beff **results; /* ends with NULL */
	char *const *paths;
	char **names; /* name of each result in plots */
};

static void free_comparison(struct comparison *c)
{
	for (unsigned i = 0; c->results[i]; i++) {
		beff_forget(c->results[i]);
		free(c->results[i]);
		free(c->names[i]);
	}
	free(c->results);
	free(c->names);
}

static int read_result(struct comparison *c, unsigned i)
{
	struct beff *b = c->results[i] = need(calloc(1, sizeof(*b)));
	struct out *doc = out_read(c->paths[i]);
	int ret = doc ? beff_read(b, c->paths[i], doc) : -EINVAL;

	out_free(doc);
	c->names[i] =
		need_text("%s, %llu s", c->paths[i], (unsigned long long)b->partition_seconds);
	return ret;
}

static struct out *partition_json(const struct beff *b, const struct beff_partition *p)
{
	struct out *o = out_object();

	out_u64(o, "process_count", p->shape.ranks);
	out_u64(o, "node_count", p->nodes);
	out_u64(o, "node_process_count", p->node_ranks);
	out_f64(o, "b_eff_io_bytes_per_second", beff_value(b, p));
	return o;
}

static struct out *result_json(const struct beff *b, const char *path)
{
	struct out *o = out_object(), *partitions = out_array();

	out_str(o, "file", path);
	out_str(o, "result_name", beff_result_name(b));
	out_str(o, "averages", beff_averages(b));
	out_str(o, "verdict", beff_verdict_names[b->verdict]);
	out_u64(o, "partition_ns", b->partition_seconds * SECOND);
	out_f64(o, "b_eff_io_bytes_per_second", b->value);
	out_u64(o, "process_count", b->partitions[b->best].shape.ranks);
	for (unsigned i = 0; i < b->partitions_n; i++)
		out_append(partitions, partition_json(b, &b->partitions[i]));
	out_put(o, "partitions", partitions);
	return o;
}

/* Returns true if the values of @a and @b may be compared. Both must have the same verdict, but not
 * BEFF_INVALID. Both must compute averages by the same version of the benchmark. Runs that were too
 * short must also have the same scheduled time. */
static bool are_comparable(const struct beff *a, const struct beff *b)
{
	return a->version_1 == b->version_1 && a->verdict == b->verdict &&
		a->verdict != BEFF_INVALID &&
		(a->verdict == BEFF_VALID || a->verdict == BEFF_URING ||
		 a->partition_seconds == b->partition_seconds);
}

static void put_best(struct out *doc, const struct comparison *c)
{
	const struct beff *best = c->results[0];
	const char *path = c->paths[0];
	bool comparable = true;
	unsigned ranks;
	char rate[NUM_TEXT];

	for (unsigned i = 1; c->results[i]; i++) {
		comparable &= are_comparable(c->results[0], c->results[i]);
		if (c->results[i]->value > best->value || isnan(best->value)) {
			best = c->results[i];
			path = c->paths[i];
		}
	}
	ranks = best->partitions[best->best].shape.ranks;
	if (isnan(best->value))
		out_str(doc, "conclusion", "no value is known: the results are incomplete");
	else
		out_strf(doc, "conclusion", "the highest value is in '%s': %s with %u process%s%s",
			 path, num_byte_rate_text(rate, best->value), ranks,
			 num_word(ranks, "", "es"),
			 comparable ? "" : "; not all results are comparable");
}

static struct out *comparison_json(const struct comparison *c)
{
	struct out *doc = out_object(), *list = out_array(), *notes;

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench beff");
	out_null(doc, "elapsed_ns");
	put_best(doc, c);
	for (unsigned i = 0; c->results[i]; i++)
		out_append(list, result_json(c->results[i], c->paths[i]));
	out_put(doc, "compared", list);
	notes = out_list(doc, "notes");
	for (unsigned i = 0; c->results[i]; i++)
		if (!are_comparable(c->results[0], c->results[i]))
			out_append_strf(notes, "'%s' is not comparable with '%s': %s", c->paths[i],
					c->paths[0], "see their verdicts, averages and times");
	return doc;
}

static const struct view_column results[] = {
	COLUMN("file"),
	COLUMN("result_name", .title = "name"),
	COLUMN("averages"),
	COLUMN("verdict"),
	COLUMN("partition_ns", .title = "T of a partition"),
	COLUMN("b_eff_io_bytes_per_second", .title = "result"),
	COLUMN("process_count", .title = "processes"),
	{},
};

static const struct view_column partitions[] = {
	COLUMN("^file"),
	COLUMN("process_count", .title = "processes"),
	COLUMN("node_count", .title = "nodes"),
	COLUMN("node_process_count", .title = "per node"),
	COLUMN("b_eff_io_bytes_per_second", .title = "result"),
	{},
};

static const struct view views[] = {
	VIEW("conclusion"),
	VIEW("compared.*", .columns = results, .left = 4, .is_head = true),
	VIEW("compared.*.partitions.*", .columns = partitions, .left = 1, .is_csv = true),
	VIEW("notes.*", .is_note = true),
	{},
};

static int plots(FILE *f, const void *of)
{
	const struct comparison *c = of;

	return beff_processes_plot(f, c->results, c->names);
}

int beff_compare(char *const *paths, enum out_format format, struct output *html)
{
	struct comparison c = { .paths = paths };
	struct result result = { .title = "iospan bench beff",
				 .views = views,
				 .plots = plots,
				 .arg = &c };
	unsigned n = 0;
	int ret = 0;

	while (paths[n])
		n++;
	c.results = need(calloc(n + 1, sizeof(struct beff *)));
	c.names = need(calloc(n + 1, sizeof(char *)));
	for (unsigned i = 0; i < n && !ret; i++)
		ret = read_result(&c, i);
	if (!ret) {
		result.doc = comparison_json(&c);
		ret = result_print(&result, format, html);
		out_free(result.doc);
	}
	free_comparison(&c);
	return ret;
}
