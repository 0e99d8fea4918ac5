// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan predict: predicts the performance of a workload, or of a recorded job, from results of
 * bench scale. A validation measures random workloads, to show the errors of the predictions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/job/forecast-show.h"
#include "bench/scale/rig.h"
#include "bench/scale/validate.h"
#include "user/base/opt-common.h"
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/out.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/seal.h"
#include "user/result/result.h"
#include "bench/model/model-html.h"
#include "bench/model/predict-show.h"

#define MOST_WORKLOADS 10000

static struct predict_opts {
	const char *values[PARAMETERS], *html, *output;
	uint64_t validate, budget;
	struct rig_options how; /* options for the measurements of --validate */
	bool json, csv;
	char *job, *recorded_on;
	unsigned layers;
} o = {
	.budget = 900 * 1000000000ULL,
	.how.seed = 1,
};
static struct job job = {
	.interval_ns = 1000000000,
	.filter = TRACE_FILTER_ALL,
	.for_forecast = true,
};

static const struct opt opts[] = {
	OPT_STR(0, "unique-bytes", &o.values[PARAM_UNIQUE_BYTES], "BYTES",
		"amount of data that is accessed, over all processes (uniqueBytes)"),
	OPT_STR('s', "size", &o.values[PARAM_SIZE], "BYTES", "request size, the mean (sizeMean)"),
	OPT_STR(0, "read", &o.values[PARAM_READ], "FRACTION",
		"fraction of requests that read (readFrac)"),
	OPT_STR(0, "seq", &o.values[PARAM_SEQ], "FRACTION",
		"fraction of requests that start where the previous one ended (seqFrac)"),
	OPT_STR(0, "procs", &o.values[PARAM_PROCS], "N",
		"processes, each with its part of the data (processNum)"),
	OPT_STR(0, "depth", &o.values[PARAM_DEPTH], "N", "requests in flight for each process"),
	OPT_STR(0, "job", &o.job, "TRACE",
		"predict the I/O time of the job in this trace, on the disk of each RESULT"),
	OPT_STR(0, "recorded-on", &o.recorded_on, "RESULT",
		"result of the disk on which the job was recorded"),
	OPT_LAYERS_TO(&o.layers, layer_names,
		      "one layer to predict, by default device if RESULT has direct I/O, else vfs"),
	INPUT_NAME_OPTS(job.filter),
	OPT_FROM(&job.from_ns),
	OPT_TO(&job.to_ns),
	OPT_HTML(&o.html),
	OPT_UINT(0, "validate", &o.validate, "N",
		 "measure N random workloads repeatedly and report the error of predictions"),
	OPT_TIME(0, "budget", &o.budget, "TIME", "time limit; 0: none"),
	OPT_SEED(&o.how.seed),
	OPT_OUTPUT(&o.output, "RESULT with its validation"),
	OPT_DESTROY(&o.how.destroy),
	OPT_SIGNATURE(&o.how.signature),
	OPT_PARENT(&o.how.parent),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page predict_page = {
	.command = "predict",
	.usage = "RESULT... [options]",
	.summary = "predict a workload, or a recorded job on another disk",
	.opts = opts,
	.examples = "  iospan predict disk.json --unique-bytes 4G --size 16k --read 0.67\n"
		    "  iospan predict disk.json --procs 8 --json\n"
		    "  iospan predict disk.json --validate 100 -o disk.json\n"
		    "  iospan predict a.json b.json --job iospan.trace --recorded-on a.json\n",
};

/* Sets @w from the options. A parameter that was not given becomes NaN. predict() then uses its
 * value at the focal point, which is the reference workload of the result. */
static int wanted(struct workload *w)
{
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		w->v[p] = NAN;
		if (o.values[p] && parameter_parse(p, o.values[p], &w->v[p]))
			return error(-EUSAGE, "--%s cannot be '%s': give %s", parameters[p].option,
				     o.values[p], parameter_valid_text(p));
	}
	return 0;
}

/* Returns a new document with the keys that all results of predict have. If @elapsed_ns is NaN, its
 * value is null. */
static struct out *document(const struct model *m, double elapsed_ns)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "predict");
	out_f64(doc, "elapsed_ns", elapsed_ns);
	out_str(doc, "result", m->path);
	out_str(doc, "result_hash", out_get_str(m->doc, "hash"));
	out_bool(doc, "complete", m->complete);
	return doc;
}

/* Prints @doc. With --html, also writes @doc as a page. To draw the plots of the page, calls @plots
 * with @arg. */
static int print(struct out *doc, const struct view *views, int (*plots)(FILE *f, const void *arg),
		 const void *arg, struct output *html)
{
	const struct result r = { .title = "iospan predict",
				  .doc = doc,
				  .views = views,
				  .plots = plots,
				  .arg = arg };
	int ret = result_print(&r, out_format(o.json, o.csv), html);

	out_free(doc);
	return ret;
}

static int predict_one(const struct model *m, struct output *html)
{
	struct prediction p;
	struct workload w;
	struct out *doc;
	int ret = wanted(&w);

	if (ret)
		return ret;
	p = predict(m, &w);
	doc = document(m, NAN);
	predict_put(doc, m, &p);
	return print(doc, predict_views, model_plots, m->doc, html);
}

static int print_result(FILE *f, const void *model)
{
	out_json(f, ((const struct model *)model)->doc);
	return 0;
}

/* Adds the validation to the result @m, saves this result to @to, and prints the validation. */
static int print_validation(const struct model *m, const struct validation *v, struct output *to,
			    struct output *html)
{
	struct out *doc = document(m, v->elapsed_ns);
	int ret;

	validation_put(doc, v);
	out_put(m->doc, "validation", validation_json(v));
	seal(m->doc);
	ret = o.output ? output_write(to, print_result, m) : 0;
	return print(doc, validation_views, model_plots, m->doc, html) ?: ret;
}

/* Measures random workloads and compares the results with the predictions. After a signal, or if
 * the time limit (--budget) has passed, prints the workloads measured so far. */
static int validate(const struct model *m, struct output *to, struct output *html)
{
	struct validation v;
	int ret;

	validation_init(&v, m, o.validate, o.how.seed);
	ret = validation_measure(&v, &o.how, o.budget);
	if ((ret == -EINTR || ret == -ETIME) && validation_errors(&v, PLACE_ALL).workloads)
		ret = 0;
	else if (ret == -EINTR)
		error(ret, "interrupted before anything was measured");
	if (!ret)
		ret = print_validation(m, &v, to, html);
	validation_release(&v);
	return ret;
}

static const struct opt_pair pairs[] = {
	OPT_NEEDS(&o.budget, &o.validate),
	OPT_NEEDS(&o.how.seed, &o.validate),
	OPT_NEEDS(&o.output, &o.validate),
	OPT_NEEDS(&o.how.destroy, &o.validate),
	OPT_NEEDS(&o.how.signature, &o.validate),
	OPT_NEEDS(&o.how.parent, &o.validate),
	OPT_NEEDS(&o.how.signature, &o.how.destroy),
	OPT_NEEDS(&o.recorded_on, &o.job),
	OPT_NEEDS(&o.layers, &o.job),
	OPT_NEEDS(&job.filter.text[TRACE_DISK], &o.job),
	OPT_NEEDS(&job.filter.text[TRACE_GROUP], &o.job),
	OPT_NEEDS(&job.filter.text[TRACE_PROCESS], &o.job),
	OPT_NEEDS(&job.filter.text[TRACE_FILE], &o.job),
	OPT_NEEDS(&job.from_ns, &o.job),
	OPT_NEEDS(&job.to_ns, &o.job),
	OPT_BARS(&o.validate, &o.job),
	{},
};

static int check(int n)
{
	if (n != 1 && (!n || !o.job))
		return error(-EUSAGE, "%s wanted; usage: iospan predict %s",
			     o.job     ? "at least one result is" :
				     n ? "without --job, one result is" :
					 "one result is",
			     predict_page.usage);
	if (o.validate > MOST_WORKLOADS)
		return error(-EUSAGE, "--validate goes up to %d", MOST_WORKLOADS);
	for (enum parameter p = 0; p < PARAMETERS && (o.validate || o.job); p++)
		if (o.values[p])
			return error(-EUSAGE, "--%s has no effect, because --%s",
				     parameters[p].option,
				     o.job ? "job takes the workloads from the trace" :
					     "validate draws random workloads");
	return input_check_layer(o.layers)	      ?:
		opt_check_pairs(&predict_page, pairs) ?:
							input_check(job.from_ns, job.to_ns);
}

struct spared {
	const struct output *to;
	int ret;
};

static void spare_target(void *arg, const char *key, const struct out *target)
{
	struct spared *s = arg;

	s->ret = s->ret ?: output_spares(s->to, out_text(target));
}

/* Fails if an output file is one of the targets of the result @m, as it would overwrite the
 * target. */
static int spare_targets(const struct output *to, const struct model *m)
{
	const struct out *targets = out_get(m->doc, "targets");
	struct spared s = { .to = to };

	if (targets)
		out_each(targets, spare_target, &s);
	return s.ret;
}

/* Opens the output @file, or does nothing if @file is NULL. Refuses to overwrite the file @input,
 * or a target on which the result @m was measured. */
static int open_spared(struct output *to, const char *file, const char *input,
		       const struct model *m)
{
	if (!file)
		return 0;
	return output_open(to, file) ?: output_spares(to, input) ?: spare_targets(to, m);
}

/* Returns the layer to predict. Without --layers, this is the device layer if @m was measured
 * without the page cache, otherwise the vfs layer. */
static enum layer choose_layer(const struct model *m)
{
	if (o.layers)
		return __builtin_ctz(o.layers);
	return out_is_true(m->doc, "direct") ? LAYER_DEVICE : LAYER_VFS;
}

static int read_job(enum layer layer)
{
	int ret = job_read(&job);
	char *reason;

	if (ret)
		return ret;
	if (!job.of[layer].layer)
		return error(-ENODATA,
			     "'%s' has no accesses of layer %s in the selected time, disks, "
			     "cgroups, processes and files; see --layers",
			     o.job, layer_names[layer]);
	reason = job_workload_reason(&job.of[layer].requests->workload, job.of[layer].losses);
	if (reason)
		ret = error(-ENODATA, "the workload of '%s' at layer %s is unknown: %s", o.job,
			    layer_names[layer], reason);
	free(reason);
	return ret;
}

/* Checks that either all results were measured with the page cache, or all without it. */
static int check_alike(struct model *const *models, int n)
{
	for (int i = 1; i < n; i++) {
		bool direct = out_is_true(models[i]->doc, "direct");

		if (direct != out_is_true(models[0]->doc, "direct"))
			return error(-EINVAL,
				     "'%s' was measured with --direct, '%s' was not; measure both "
				     "in one way",
				     models[direct ? i : 0]->path, models[direct ? 0 : i]->path);
	}
	return 0;
}

/* Predicts the job and prints the result. @models: results of bench scale for @n disks. models[@n]
 * is the result for the disk on which the job was recorded; NULL: there is none. */
static int print_forecasts(struct model *const *models, int n, struct output *html)
{
	char *const paths[] = { o.job, NULL };
	struct forecasts f = { .job = &job,
			       .layer = choose_layer(models[0]),
			       .home = models[n],
			       .n = n };
	int ret;

	job.paths = paths;
	ret = read_job(f.layer) ?: forecasts_make(&f, models);
	if (!ret)
		ret = print(forecast_document(&f), forecast_views, forecast_plots, &f, html);
	forecasts_release(&f);
	job_release(&job);
	return ret;
}

/* Opens the output of --html. Refuses to overwrite an input, or a target of a result. */
static int open_html(struct output *html, struct model *const *models, int n)
{
	int ret = open_spared(html, o.html, o.job, models[0]);

	for (int i = 0; i < n && !ret && o.html; i++)
		ret = output_spares(html, models[i]->path) ?: spare_targets(html, models[i]);
	return ret ?: o.html ? plot_check() : 0;
}

static int predict_job(char **paths, int n)
{
	struct model **models = need(calloc(n + 1, sizeof(*models)));
	int all = n + !!o.recorded_on, ret = 0;
	struct output html = OUTPUT_NONE;

	for (int i = 0; i < all && !ret; i++) {
		models[i] = model_read(i < n ? paths[i] : o.recorded_on);
		ret = models[i] ? 0 : -EINVAL;
	}
	ret = ret ?: check_alike(models, all) ?: open_html(&html, models, all);
	ret = ret ?: print_forecasts(models, n, &html);
	output_drop(&html);
	for (int i = 0; i < all; i++)
		model_free(models[i]);
	free(models);
	return ret;
}

/* Predicts or validates with the result in @path, and prints the answer. --output may name the file
 * @path, because iospan reads the file before it overwrites it. */
static int answer(const char *path)
{
	struct model *m = model_read(path);
	struct output to = OUTPUT_NONE, html = OUTPUT_NONE;
	int ret = m ? 0 : -EINVAL;

	ret = ret ?: open_spared(&to, o.output, NULL, m) ?: open_spared(&html, o.html, path, m);
	if (!ret && o.html)
		ret = plot_check();
	if (!ret)
		ret = o.validate ? validate(m, &to, &html) : predict_one(m, &html);
	output_drop(&to);
	output_drop(&html);
	model_free(m);
	return ret;
}

int cmd_predict(int argc, char **argv)
{
	char **paths = need(calloc(argc + 1, sizeof(*paths)));
	int n = opt_operands(&predict_page, argc, argv, paths), ret = n < 0 ? n : check(n);

	if (!ret)
		ret = o.job ? predict_job(paths, n) : answer(paths[0]);
	free(paths);
	return ret;
}
