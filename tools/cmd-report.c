// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan report: reads traces, and prints the same report as `iospan run`, with further
 * tables and plots. */
#include <stdlib.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/base/clock.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/progress.h"
#include "user/base/signals.h"
#include "tools/report/html.h"
#include "tools/input/input.h"
#include "tools/report/report.h"
#include "tools/report/report-neighbours.h"
#include "tools/report/report-show.h"
#include "user/metric/column.h"
#include "user/metric/measurement.h"
#include "user/result/result.h"
#include "user/show/show-json.h"

static struct report_opts {
	const char *output, *html, *offsets, *sort;
	bool json, csv, exact, histogram, neighbours;
	unsigned by;
	struct trace_filter filter;
	uint64_t slice, from, to, top, matrix;
} o = { .filter = TRACE_FILTER_ALL, .sort = "bytes", .top = TOP_DEFAULT, .matrix = 8 };

static const struct opt opts[] = {
	OPT_OUTPUT(&o.output, "the report"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_HISTOGRAM(&o.histogram),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_HTML(&o.html),
	OPT_BY(&o.by, trace_kind_names),
	OPT_SORT(&o.sort),
	OPT_TOP(&o.top, TOP_SUMS),
	OPT_FLAG(0, "neighbours", &o.neighbours,
		 "the cgroups that share the time of each disk; needs --by cgroup"),
	OPT_UINT(0, "matrix", &o.matrix, "N", "number of cgroups in the matrix of --neighbours"),
	OPT_INTERVAL(&o.slice, ", with a row for each; 0: none"),
	OPT_FLAG(0, "exact", &o.exact, "exact percentiles; reads the files again"),
	OPT_FROM(&o.from),
	OPT_TO(&o.to),
	OPT_LAYERS(&o.filter.layers, layer_names),
	OPT_OPS(&o.filter.ops, op_names),
	INPUT_NAME_OPTS(o.filter),
	OPT_STR(0, "offsets", &o.offsets, "LIST",
		"shift of the times of each FILE, in their order, such as '0,-1500ns,2ms'"),
	OPT_END,
};

const struct opt_page report_page = {
	.command = "report",
	.usage = "[options] FILE...",
	.summary = "show the I/O of traces: the report of 'run', and more",
	.opts = opts,
	.examples = "  iospan report trace\n"
		    "  iospan report --by process,file -i 1s trace\n"
		    "  iospan report --json --exact --from 10s --to 20s trace\n",
};

static int parse_offset(const char *text, s64 *ns)
{
	bool back = *text == '-';
	u64 v;

	if (num_time(text + (back || *text == '+'), &v) || v > INT64_MAX)
		return error(-EUSAGE,
			     "'%s' is no time; see --offsets in "
			     "'iospan report --help'",
			     text);
	*ns = back ? -(s64)v : (s64)v;
	return 0;
}

/* Parses --offsets, the clock shifts of the files. Sets *@to to a new array with the shift of each
 * of the @n files in ns. A file that the option does not list has the shift 0. */
static int parse_offsets(u32 n, s64 **to)
{
	char *list = o.offsets ? need(strdup(o.offsets)) : NULL, *rest = list, *one;
	int ret = 0;
	u32 i = 0;

	*to = need(calloc(n + 1, sizeof(**to)));
	while (!ret && (one = strsep(&rest, ","))) {
		if (i == n)
			ret = error(-EUSAGE, "--offsets '%s' are more than there are files",
				    o.offsets);
		else
			ret = parse_offset(one, *to + i++);
	}
	free(list);
	return ret;
}

static const struct opt_pair pairs[] = {
	OPT_NEEDS(&o.sort, &o.by),
	OPT_BARS(&o.top, &o.json),
	OPT_BARS(&o.top, &o.csv),
	OPT_NEEDS(&o.matrix, &o.neighbours),
	{},
};

/* A neighbour is any cgroup with reads or writes on the same disk. So no filter may leave out the
 * accesses of other cgroups. */
static int check_neighbours(void)
{
	static const struct {
		const void *dst;
		const char *name;
	} filters[] = {
		{ &o.filter.text[TRACE_GROUP], "cgroup" },
		{ &o.filter.text[TRACE_PROCESS], "process" },
		{ &o.filter.text[TRACE_FILE], "file" },
		{ &o.filter.ops, "ops" },
	};

	if (!o.neighbours)
		return 0;
	if (!(o.by >> TRACE_GROUP & 1))
		return error(-EUSAGE, "option '--neighbours' has no effect without '--by=cgroup'");
	if (!(o.filter.layers >> LAYER_DEVICE & 1))
		return error(-EUSAGE,
			     "option '--neighbours' needs the device layer; add it to "
			     "'--layers'");
	if (o.matrix < 2 || o.matrix > MATRIX_MAX)
		return error(-EUSAGE, "option '--matrix' must be from 2 to %d", MATRIX_MAX);
	for (u32 i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (opt_given(filters[i].dst))
			return error(-EUSAGE,
				     "option '--%s' would hide neighbours; leave it out with "
				     "'--neighbours'",
				     filters[i].name);
	return o.csv && o.histogram ? opt_no_effect("histogram", "--neighbours and --csv") : 0;
}

static int check_options(int n)
{
	int ret = opt_check_pairs(&report_page, pairs);

	if (!ret && opt_given(&o.top) && !o.by && !o.histogram)
		ret = error(-EUSAGE,
			    "option '--top' has no effect without '--by' or '--histogram'");
	if (!ret)
		ret = check_neighbours();
	if (ret)
		return ret;
	if (n < 1)
		return error(-EUSAGE, "no trace given; usage: iospan report %s", report_page.usage);
	return input_check(o.from, o.to);
}

struct watch {
	int signals;
	u64 last_signal_ns, next_ns;
};

#define SHOW_NS 500000000ULL

static bool is_stopped(void *arg, const struct report_run *r)
{
	struct watch *w = arg;
	u64 now = now_ns();
	char buf[NUM_TEXT];

	if (now > w->next_ns) {
		w->next_ns = now + SHOW_NS;
		progress("%s accesses read", num_count_text(buf, r->input.accesses));
	}
	return signals_came(w->signals, &w->last_signal_ns);
}

static int read_all(struct report_run *r)
{
	struct watch w = { .next_ns = now_ns() + SHOW_NS };
	sigset_t before;
	int ret;

	w.signals = signals_catch(0, &before);
	if (w.signals < 0)
		return w.signals;
	ret = report_read(r, is_stopped, &w);
	if (!ret && r->exact && !r->interrupted)
		ret = report_exact(r, is_stopped, &w);
	signals_release(w.signals, &before);
	progress_end();
	return ret;
}

static void file_done(void *arg, const char *path, const struct trace_reader *reader)
{
	evidence_add(arg, path, reader);
}

static bool is_all(const struct trace_filter *f)
{
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		if (f->text[kind])
			return false;
	return f->layers == (1 << LAYERS) - 1 && f->ops == (1 << OP_MAX) - 1;
}

static void report_init(struct report_run *r, char **paths, const struct metric *sort)
{
	*r = (struct report_run){
		.paths = paths,
		.slice_ns = o.slice,
		.exact = o.exact,
		.has_histograms = o.histogram,
		.tables = o.by,
		.by_kinds = o.by | (o.html ? 1U << TRACE_PROCESS : 0),
		.top = o.json || o.csv ? 0 : o.top,
		.matrix = o.neighbours ? o.matrix : 0,
		.filtered = o.from || o.to || !is_all(&o.filter),
	};
	tally_init(&r->tally);
	r->input.stream = report_stream;
	r->input.stream_arg = r;
	r->input.done = file_done;
	r->input.arg = &r->evidence;
	r->input.filter = o.filter;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		by_init(&r->by[kind], kind, &r->input.names, sort);
	if (o.html)
		r->picture = picture_new();
}

static void report_release(struct report_run *r)
{
	measurement_free(r->m);
	exact_sets_free(r->exacts);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		by_release(&r->by[kind]);
		free(r->lists[kind].entities);
	}
	for (int layer = 0; layer < LAYERS; layer++)
		timeline_release(&r->slices[layer]);
	picture_free(r->picture);
	neighbours_release(&r->neighbours);
	tally_release(&r->tally);
	evidence_release(&r->evidence);
	input_close(&r->input);
}

static int write_report(struct report_run *r, const struct metric *sort, struct output *to,
			struct output *html)
{
	struct view *views = neighbours_views(show_views);
	const struct result result = {
		.title = "iospan report",
		.doc = report_document(r),
		.views = o.csv && o.neighbours ? neighbours_csv :
			o.csv && o.histogram   ? show_histogram_csv :
						 views,
		.to = to,
		.plots = html_report,
		.arg = r,
		.made = r->made,
		.page_made = r->page_made,
		.most = o.top,
	};
	int ret;

	by_show_column(views, sort);
	ret = result_print(&result, out_format(o.json, o.csv), html);
	out_free(result.doc);
	free(views);
	return ret;
}

static int report(char **paths, u32 n, const s64 *offsets, struct output *to, struct output *html)
{
	const struct metric *sort;
	struct report_run r;
	int ret = metric_of_column(&sort, o.sort);

	if (ret)
		return ret;
	report_init(&r, paths, sort);
	ret = input_open(&r.input, paths, n, offsets, o.html ? TRACE_OFFSET : 0, o.from, o.to);
	if (!ret)
		ret = read_all(&r);
	if (!ret)
		ret = write_report(&r, sort, to, html);
	report_release(&r);
	return ret;
}

int cmd_report(int argc, char **argv)
{
	char **paths = need(calloc(argc + 1, sizeof(*paths)));
	int n = opt_operands(&report_page, argc, argv, paths), ret = n < 0 ? n : check_options(n);
	struct output to = OUTPUT_NONE, html = OUTPUT_NONE;
	s64 *offsets = NULL;

	if (!ret)
		ret = parse_offsets(n, &offsets);
	if (!ret)
		ret = output_open(&to, o.output);
	if (!ret && o.html)
		ret = output_open(&html, o.html);
	if (!ret)
		ret = input_spared(&to, paths, n) ?: input_spared(&html, paths, n);
	if (!ret && o.html)
		ret = plot_check();
	if (!ret)
		ret = report(paths, n, offsets, &to, &html);
	output_drop(&to);
	output_drop(&html);
	free(offsets);
	free(paths);
	return ret;
}
