// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench scale: the self-scaling benchmark of Chen and Patterson 1993. The evaluation
 * measures workloads along curves, each over one parameter. Regions are ranges of the amount of
 * data; performance falls between them. FOCAL_75 stands for --focal 75: instead of regions, iospan
 * searches one workload at which each parameter yields 75 % of the best performance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scale/pace.h"
#include "bench/scale/scale-result.h"
#include "bench/model/model-html.h"
#include "user/base/opt-common.h"
#include "user/base/clock.h"
#include "user/base/out-read.h"
#include "user/cmd.h"
#include "user/host/environment.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/progress.h"
#include "user/base/words.h"
#include "user/result/result.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define MIB (1ULL << 20)
#define PAGE 4096
#define CACHES 4 /* the default of --unique-bytes is this many times the size of the page cache */
#define LEAST_BYTES MIB
#define FILL 4 /* filling the target takes at most 1 / FILL of the time limit (--budget) */
/* A probe is a workload that tests predictions. A probe lasts at most 1 / PROBES of the time that
 * is reserved for probes. */
#define PROBES 60
#define PROBE_MOST_NS (600 * MS)
#define PROBES_MOST 800
#define SAVE_NS SECOND /* minimum time between two saves of the result */

static struct scale_opts {
	uint64_t unique_bytes, budget;
	double feedback;
	const char *focal, *output, *resume, *html;
	bool no_depth, json, csv;
	struct rig_options how;
} o = {
	.budget = 900 * SECOND,
	.feedback = 0.5,
	.how.seed = 1,
	.focal = "half",
};

static const struct opt opts[] = {
	OPT_SIZE(0, "unique-bytes", &o.unique_bytes, "BYTES",
		 "largest amount of data; 0: four times what the page cache can hold"),
	OPT_SIZE(0, "memory-limit", &o.how.memory, "BYTES",
		 "memory limit of the loads' cgroup, page cache included; 0: none"),
	OPT_TIME(0, "budget", &o.budget, "TIME", "time limit; 0: none"),
	OPT_STR(0, "focal", &o.focal, "KIND",
		"focal points: 'half' has one in each region, '75' has one where performance is 75 "
		"% "
		"of the highest"),
	OPT_REAL(
		0, "feedback", &o.feedback, "FRACTION",
		"fraction of the time limit for measurements where predictions are worst; 0: none"),
	OPT_FLAG(0, "no-depth", &o.no_depth, "leave out the curves over the depth"),
	OPT_DIRECT(&o.how.direct),
	OPT_PARENT(&o.how.parent),
	OPT_SEED(&o.how.seed),
	OPT_DESTROY(&o.how.destroy),
	OPT_SIGNATURE(&o.how.signature),
	OPT_OUTPUT(&o.output, "the current result, as JSON,"),
	OPT_STR(0, "resume", &o.resume, "FILE", "continue the evaluation with the result in FILE"),
	OPT_HTML(&o.html),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

const struct opt_page scale_page = {
	.command = "bench scale",
	.usage = "TARGET [options]",
	.summary = "find the regions of a storage system, such as its caches",
	.opts = opts,
	.examples = "  iospan bench scale /mnt/disk --memory-limit 512M --budget 15m\n"
		    "  iospan bench scale /mnt/disk -o result.json\n"
		    "  iospan bench scale --resume result.json\n",
};

struct scale {
	struct scale_result result;
	struct rig rig;
	struct pace pace;
	/* duration of one probe in ns; 0: probes have not started */
	u64 probe_ns;
	u64 saved_ns;
	struct output to, html;
	/* true: a save has failed, so the result is saved only once more, at the end */
	bool full;
};

static void show_sample(const struct scale *s, const struct sample *p)
{
	const struct evaluation *e = &s->result.evaluation;
	char a[NUM_TEXT], of[BUDGET_TEXT], text[WORKLOAD_TEXT];

	progress("%s%s, point %u of about %u: %s", num_time_text(a, pace_gone(&s->pace)),
		 scale_budget_text(of, s->result.budget_ns), e->points.n + 1,
		 e->points.n + e->expected, workload_text(text, &p->at));
}

static int save(struct scale *s)
{
	s->saved_ns = now_ns();
	s->result.elapsed_ns = s->pace.earlier_ns + s->saved_ns - s->pace.started_ns;
	return o.output ? scale_save(&s->to, &s->result) : 0;
}

/* Saves the result so far. If the save fails, the evaluation goes on, because the save at its end
 * may still succeed. */
static void save_so_far(struct scale *s)
{
	s->to.repeated = true;
	s->full = save(s);
	s->to.repeated = false;
}

static int measure(void *arg, struct sample *p)
{
	struct scale *s = arg;
	int ret;

	if (pace_over(&s->pace))
		return -ETIME;
	show_sample(s, p);
	pace_check(&s->pace);
	if (!s->full && now_ns() - s->saved_ns >= SAVE_NS)
		save_so_far(s);
	ret = rig_measure(&s->rig, s->probe_ns ? s->probe_ns : pace_point(&s->pace), p);
	s->pace.measured += !ret;
	return ret;
}

static bool goes_on(void *arg, u64 *elapsed_ns)
{
	struct scale *s = arg;
	u64 left = pace_left(&s->pace);

	*elapsed_ns = pace_gone(&s->pace);
	s->result.evaluation.expected = left / s->probe_ns;
	return left >= s->probe_ns;
}

static struct model *model_so_far(void *arg)
{
	struct scale *s = arg;

	return model_of(scale_document(&s->result), "the current result");
}

/* Spends the remaining time on probes: workloads that show and reduce the errors of predictions
 * (feedback.h). Does nothing with FOCAL_75, because predictions need regions. */
static int spend_rest(struct scale *s)
{
	struct scale_result *r = &s->result;

	if (!s->pace.kept_ns || r->evaluation.focal_kind != FOCAL_HALF)
		return 0;
	s->probe_ns =
		fmax(fmin(s->pace.kept_ns / PROBES, PROBE_MOST_NS), s->pace.kept_ns / PROBES_MOST);
	r->feedback.evaluation = &r->evaluation;
	r->feedback.seed = r->how.seed;
	r->feedback.model = model_so_far;
	r->feedback.goes_on = goes_on;
	r->feedback.arg = s;
	return feedback_run(&r->feedback);
}

/* --resume refuses these options, because a resumed evaluation keeps the options with which it was
 * started. */
static const struct opt_pair pairs[] = {
	OPT_BARS(&o.unique_bytes, &o.resume),
	OPT_BARS(&o.how.memory, &o.resume),
	OPT_BARS(&o.focal, &o.resume),
	OPT_BARS(&o.feedback, &o.resume),
	OPT_BARS(&o.no_depth, &o.resume),
	OPT_BARS(&o.how.direct, &o.resume),
	OPT_BARS(&o.how.seed, &o.resume),
	OPT_NEEDS(&o.how.signature, &o.how.destroy),
	{},
};

static int check(void)
{
	if (words_index("focal point", (const char *[]){ "half", "75", NULL }, o.focal) < 0)
		return -EUSAGE;
	if ((o.budget && o.budget < SECOND) || o.budget > 1000 * 3600 * SECOND)
		return error(-EUSAGE, "--budget is 1s to 1000h, or 0");
	if (o.unique_bytes && o.unique_bytes < 16 * LEAST_BYTES)
		return error(-EUSAGE, "--unique-bytes is 16M or more");
	if (o.feedback > 0.9)
		return error(-EUSAGE, "--feedback goes up to 0.9: the curves take time as well");
	if (o.how.memory && o.how.memory < 16 * MIB)
		return error(-EUSAGE, "--memory-limit is 16M or more: less holds no load");
	if (opt_in_use(&scale_page, &o.feedback) && !strcmp(o.focal, "75"))
		return opt_no_effect("feedback", "--focal 75");
	if (opt_in_use(&scale_page, &o.feedback) && !o.budget)
		return opt_no_effect("feedback", "--budget 0");
	return opt_check_pairs(&scale_page, pairs);
}

/* Sets *@bytes to the largest amount of data that a workload may use. This is --unique-bytes or,
 * with --resume, the amount of the interrupted evaluation. By default, it is CACHES times the size
 * of the page cache, or less if the target has less room.
 *
 * If the target has too little room for --unique-bytes or --resume, rig_open() reports the error.
 * Returns 0 or -errno; prints the error. */
static int choose_bytes(const struct scale *s, u64 *bytes)
{
	const struct rig_options *how = &s->result.how;
	u64 there, wanted = o.unique_bytes, most = CACHES * room_in_cache(how->memory);
	char least[NUM_TEXT], room[NUM_TEXT];
	int ret = room_on_target(how->target, &there);

	if (ret)
		return ret;
	if (o.resume)
		wanted = s->result.evaluation.axes[PARAM_UNIQUE_BYTES].max;
	else if (!wanted)
		wanted = there < most ? there : most;
	*bytes = wanted / PAGE * PAGE;
	if (*bytes < 16 * LEAST_BYTES)
		return error(-ENOSPC, "'%s' has not enough room: %s are needed, %s may be used",
			     how->target, num_bytes_text(least, 16 * LEAST_BYTES),
			     num_bytes_text(room, there));
	return 0;
}

static int open_rig(struct scale *s)
{
	struct scale_result *r = &s->result;
	u64 bytes, until = o.resume || !r->budget_ns ? 0 : now_ns() + r->budget_ns / FILL;
	int ret = choose_bytes(s, &bytes);

	if (!ret)
		ret = rig_open(&s->rig, &r->how, bytes, until);
	if (ret)
		return ret;
	if (s->rig.target.bytes < bytes)
		warn("only the first %llu MiB could be filled in a quarter of the budget: there "
		     "may be borders beyond",
		     (unsigned long long)(s->rig.target.bytes / MIB));
	if (!o.resume)
		evaluation_set_axes(&r->evaluation, r->how.target, s->rig.target.bytes,
				    s->rig.cache_bytes);
	if (r->budget_ns)
		s->rig.deadline_ns = now_ns() + pace_left(&s->pace);
	r->layers = s->rig.layers.traced ? &s->rig.layers : NULL;
	s->pace.kept_ns = r->budget_ns * r->feedback_fraction;
	return 0;
}

static int print(struct scale *s)
{
	struct out *doc = scale_document(&s->result);
	const struct result r = { .title = "iospan bench scale",
				  .doc = doc,
				  .views = scale_views,
				  .plots = out_is_empty(out_get(doc, "regions")) ? NULL :
										   model_plots,
				  .arg = doc };
	int ret = result_print(&r, out_format(o.json, o.csv), &s->html);

	out_free(doc);
	return ret;
}

/* Prints that the time limit (--budget) passed before all curves were measured. Returns -ETIME. */
static int budget_error(const struct scale *s)
{
	const struct evaluation *e = &s->result.evaluation;
	char budget[NUM_TEXT];

	return error(-ETIME,
		     "the budget of %s is over after %u points, and about %u are missing; use "
		     "a longer --budget%s",
		     num_time_arg(budget, s->result.budget_ns), e->points.n, e->expected,
		     o.output ? " with --resume" : "");
}

/* Runs the evaluation and prints the result. After a signal, prints the result so far. */
static int run(struct scale *s)
{
	struct scale_result *r = &s->result;
	int ret;

	s->pace.earlier_ns = r->elapsed_ns;
	s->pace.started_ns = now_ns();
	s->pace.result = r;
	r->environment = environment(&this_host, r->how.target);
	ret = open_rig(s);
	if (!ret)
		ret = evaluate(&r->evaluation) ?: spend_rest(s);
	r->complete = !ret;
	r->over = ret == -ETIME;
	progress_end();
	if (ret == -ETIME)
		budget_error(s);
	if (!r->evaluation.points.n)
		return ret == -EINTR ? error(ret, "interrupted before anything was measured") : ret;
	if (ret == -EINTR)
		ret = 0;
	ret = save(s) ?: ret;
	return print(s) ?: ret;
}

static int renew_budget(struct scale_result *r, const struct out *doc)
{
	char budget[NUM_TEXT];

	if (opt_given(&o.budget))
		r->budget_ns = o.budget;
	if (!r->budget_ns || r->elapsed_ns < r->budget_ns || out_is_true(doc, "complete"))
		return 0;
	return error(-ETIME, "the budget of '%s', %s, is over; give it a longer --budget", o.resume,
		     num_time_arg(budget, r->budget_ns));
}

/* Opens the file of --output. It must be a regular file, because the result is written to it
 * repeatedly. */
static int open_outputs(struct scale *s)
{
	const char *target = s->result.how.target;
	int ret = o.output ? output_open(&s->to, o.output) : 0;

	if (!ret && o.output && s->to.kind != OUTPUT_FILE)
		ret = error(-EINVAL, "cannot write '%s': it is no regular file", o.output);
	if (!ret)
		ret = output_spares(&s->to, target);
	if (!ret && o.html)
		ret = output_open(&s->html, o.html) ?: output_spares(&s->html, target);
	return ret || !o.html ? ret : plot_check();
}

static int run_with(struct scale *s, struct out *doc)
{
	struct scale_result *r = &s->result;
	int ret = doc ? scale_take_up(r, o.resume, doc) : 0, left = 0;

	s->to = s->html = (struct output)OUTPUT_NONE;
	if (!ret && doc)
		ret = renew_budget(r, doc);
	if (!ret)
		ret = open_outputs(s);
	r->evaluation.measure = measure;
	r->evaluation.arg = s;
	if (!ret) {
		ret = run(s);
		left = rig_close(&s->rig);
	}
	output_drop(&s->to);
	output_drop(&s->html);
	evaluation_release(&r->evaluation);
	out_free(r->environment);
	return ret ?: left;
}

int cmd_scale(int argc, char **argv)
{
	static struct scale s;
	char **targets = need(calloc(argc + 1, sizeof(*targets)));
	int n = opt_operands(&scale_page, argc, argv, targets), ret = n < 0 ? n : check();
	struct out *doc = NULL;

	o.how.target = targets[0];
	free(targets);
	if (ret)
		return ret;
	if (n != !o.resume)
		return error(-EUSAGE, "give one target, or --resume; usage: iospan %s %s",
			     scale_page.command, scale_page.usage);
	o.how.bytes_option = o.unique_bytes ? "--unique-bytes" : NULL;
	s.result.how = o.how;
	s.result.budget_ns = o.budget;
	s.result.feedback_fraction = o.budget ? o.feedback : 0;
	s.result.evaluation.with_depth = !o.no_depth;
	s.result.evaluation.focal_kind = strcmp(o.focal, "75") ? FOCAL_HALF : FOCAL_75;
	s.rig = (struct rig){ .signals = -1, .target.guard.fd = -1 };
	if (o.resume && !o.output)
		o.output = o.resume;
	if (o.resume && !(doc = out_read(o.resume)))
		return -EINVAL;
	ret = run_with(&s, doc);
	out_free(doc);
	return ret;
}
