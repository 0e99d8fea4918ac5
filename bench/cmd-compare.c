// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan compare: predicts workloads for two systems, or for two results of one system, and
 * compares the predictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/base/out-read.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/out.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "bench/compare/compare.h"
#include "bench/compare/compare-html.h"
#include "bench/compare/conditions.h"
#include "user/result/result.h"

#define MOST_RANDOM 100000

static struct compare_opts {
	const char *workload;
	uint64_t random, seed;
	bool force, json, csv;
	const char *html;
} o = {
	.random = 100,
	.seed = 1,
};

static const struct opt opts[] = {
	OPT_STR(0, "workload", &o.workload, "WORKLOAD",
		"only this one: workstation, scientific, database, or such as size=16k,read=0.67"),
	OPT_UINT(0, "random", &o.random, "N", "number of random workloads"),
	OPT_SEED(&o.seed),
	OPT_FLAG(0, "force", &o.force,
		 "compare results that were measured with another page cache or memory limit"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_HTML(&o.html),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page compare_page = {
	.command = "compare",
	.usage = "RESULT RESULT [options]",
	.summary = "compare two results of 'bench scale'",
	.opts = opts,
	.examples = "  iospan compare old.json new.json\n"
		    "  iospan compare hdd.json ssd.json --workload database\n"
		    "  iospan compare a.json b.json --workload unique-bytes=4G,read=0\n",
};

/* Workloads that --workload accepts by name. The names are from Chen and Patterson 1993, which has
 * no parameters for them. So the parameters are our own. */
static const struct named {
	const char *name;
	struct workload w;
} named[] = {
	{ "workstation", { { 64 << 20, 8192, 0.8, 0.75, 1, 1 } } },
	{ "scientific", { { 4ULL << 30, 262144, 0.5, 0.95, 2, 1 } } },
	{ "database", { { 1 << 30, 4096, 0.65, 0, 16, 1 } } },
};
#define NAMED (sizeof(named) / sizeof(*named))

/* Parses one parameter such as "size=16k". Returns 0 or -EUSAGE; prints the error. */
static int parse_assignment(const char *text, struct workload *w)
{
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		size_t len = strlen(parameters[p].option);

		if (strncmp(text, parameters[p].option, len) || text[len] != '=')
			continue;
		if (parameter_parse(p, text + len + 1, &w->v[p]))
			return error(-EUSAGE, "--workload: %s cannot be '%s'", parameters[p].option,
				     text + len + 1);
		return 0;
	}
	return error(-EUSAGE,
		     "--workload: '%s' is no workload and no parameter; see "
		     "'iospan compare --help'",
		     text);
}

/* Parses the argument of --workload into @w, such as "database", "size=16k,read=0.67" or
 * "database,procs=4". */
static int parse_workload(const char *text, struct workload *w)
{
	char *list = need(strdup(text)), *rest = list, *one;
	int ret = 0;

	for (enum parameter p = 0; p < PARAMETERS; p++)
		w->v[p] = NAN;
	while (!ret && (one = strsep(&rest, ","))) {
		size_t i = 0;

		while (i < NAMED && (one != list || strcmp(one, named[i].name)))
			i++;
		if (i < NAMED)
			*w = named[i].w;
		else
			ret = parse_assignment(one, w);
	}
	free(list);
	return ret;
}

static int fill(struct comparison *c, const struct workload *only)
{
	if (o.workload) {
		comparison_add(c, o.workload, only);
		return 0;
	}
	for (size_t i = 0; i < NAMED; i++)
		comparison_add(c, named[i].name, &named[i].w);
	return o.random ? comparison_draw(c, o.random, o.seed) : 0;
}

/* Checks if the two results were measured under the same conditions, which @doc lists. If not, the
 * comparison is unfair: prints an error, or with --force a warning. */
static int check_conditions(const struct out *doc)
{
	char *unfair = conditions_unfair(out_get(out_get(doc, "comparison"), "conditions"));
	int ret = 0;

	if (unfair && o.force)
		warn("the comparison is unfair, as the conditions differ: %s", unfair);
	else if (unfair)
		ret = error(-EINVAL,
			    "the results were measured under different conditions: %s; measure one "
			    "of them again, or use --force",
			    unfair);
	free(unfair);
	return ret;
}

static int compare(char **paths, struct output *html)
{
	static const struct opt_pair pairs[] = {
		OPT_BARS(&o.random, &o.workload),
		OPT_BARS(&o.seed, &o.workload),
		{},
	};
	struct model *a = NULL, *b = NULL;
	struct comparison c = {};
	struct result result = { .title = "comparison of two systems",
				 .plots = comparison_plots,
				 .arg = &c };
	struct workload only;
	int ret = opt_check_pairs(&compare_page, pairs);

	if (!ret && o.workload)
		ret = parse_workload(o.workload, &only);
	if (!ret && !((a = model_read(paths[0])) && (b = model_read(paths[1]))))
		ret = -EINVAL;
	c.a = a;
	c.b = b;
	if (!ret)
		ret = fill(&c, &only);
	if (!ret) {
		result.doc = comparison_document(&c);
		result.views = comparison_views(&c);
		ret = check_conditions(result.doc);
	}
	if (!ret)
		ret = result_print(&result, out_format(o.json, o.csv), html);
	out_free(result.doc);
	free(c.list);
	model_free(a);
	model_free(b);
	return ret;
}

int cmd_compare(int argc, char **argv)
{
	char **paths = need(calloc(argc + 1, sizeof(*paths)));
	int n = opt_operands(&compare_page, argc, argv, paths), ret = n < 0 ? n : 0;
	struct output html = OUTPUT_NONE;

	if (!ret && n != 2)
		ret = error(-EUSAGE, "two results are wanted; usage: iospan compare %s",
			    compare_page.usage);
	if (!ret && o.random > MOST_RANDOM)
		ret = error(-EUSAGE, "--random goes up to %d", MOST_RANDOM);
	if (!ret && o.html)
		ret = output_open(&html, o.html)       ?:
			output_spares(&html, paths[0]) ?:
			output_spares(&html, paths[1]) ?:
							 plot_check();
	ret = ret ?: compare(paths, &html);
	output_drop(&html);
	free(paths);
	return ret;
}
