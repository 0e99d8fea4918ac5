// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a command repeatedly, and measures the I/O of all other cgroups per interval. */
#include "tools/neighbours/runs.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/num.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/kernel/interval.h"
#include "user/session/measured.h"
#include "user/base/progress.h"
#include "user/session/command.h"
#include "tools/correlate/group-columns.h"
#include "user/metric/measurement.h"

enum { OTHERS_BYTES, OTHERS_OPS };
static const char *const others_names[RUNS_SUMS] = { "(all others) bytes", "(all others) ops" };

struct watch {
	struct runs *runs;
	const struct runs_options *o;
	struct session session;
	struct tracer *tracer;
	struct cuts cuts;
	/* path of the command's cgroup, relative to the root cgroup */
	const char *own;
	struct group_columns groups;
	u64 span_ns;	/* time in which the command had disk I/O in flight in the current run */
	u64 next_ns;	/* time (now_ns()) at which the current interval ends */
	double epoch_s; /* time at which the monotonic clock was 0, in seconds since 1970 */
	double end_s;	/* end of the last complete interval, in seconds since 1970 */
	int ret;
};

/* Removes from @list the cgroups that may have I/O of the command: the command's cgroup, its
 * descendants and its ancestors. Adds the bytes of the ancestors to runs->above_bytes. Returns the
 * number of cgroups that remain. */
static u32 drop_own(struct watch *w, struct group_amount *list, u32 n)
{
	u32 left = 0;

	for (u32 i = 0; i < n; i++) {
		const char *path = list[i].path;

		if (!strcmp(path, w->own) || group_is_below(path, w->own))
			continue;
		if (group_is_below(w->own, path))
			w->runs->above_bytes += list[i].bytes;
		else
			list[left++] = list[i];
	}
	return left;
}

static void add_other_groups(struct watch *w, const struct measurement *m, u32 row)
{
	struct group_amount *list = need(calloc(m->groups_n + 1, sizeof(*list)));
	struct column_sums *to = w->runs->system.columns;
	u32 n;

	for (u32 i = 0; i < m->groups_n; i++) {
		const struct group_sum *g = &m->groups[i];

		list[i] = (struct group_amount){ g->path, g->device.row.bytes,
						 g->device.row.accesses };
		if (!strcmp(g->path, w->own))
			w->span_ns += g->device.span_ns;
	}
	n = drop_own(w, list, group_amounts_exclusive(list, m->groups_n));
	for (u32 i = 0; i < n; i++) {
		group_columns_add(&w->groups, row, &list[i]);
		to[OTHERS_BYTES].values[row] += list[i].bytes;
		to[OTHERS_OPS].values[row] += list[i].ops;
	}
	free(list);
}

static int cut_interval(struct watch *w)
{
	struct measurement *m;
	double begin_s;

	w->ret = cuts_next(&w->cuts, &m);
	if (w->ret)
		return w->ret;
	begin_s = m->begin_ns / 1e9 + w->epoch_s;
	w->end_s = (m->begin_ns + m->elapsed_ns) / 1e9 + w->epoch_s;
	w->next_ns = m->begin_ns + m->elapsed_ns + w->o->interval_ns;
	add_other_groups(w, m, series_add(&w->runs->system, begin_s, w->end_s));
	measurement_free(m);
	return 0;
}

static void poll_and_cut(void *watch)
{
	struct watch *w = watch;

	tracer_poll(w->tracer);
	if (!w->ret && now_ns() >= w->next_ns)
		cut_interval(w);
}

static void add_run(struct watch *w, double begin_s, u64 took_ns)
{
	char *name = need_text("%u", w->runs->jobs.n + 1);
	struct timed_job *j = timed_jobs_add(&w->runs->jobs, name, begin_s, w->end_s);

	j->seconds[FORM_RUN] = took_ns / 1e9;
	j->seconds[FORM_SPAN] = w->span_ns / 1e9;
	free(name);
}

/* Runs the command once, and adds the run to the jobs. Ends an interval right before the command
 * starts, and another interval right after it exits. So no interval is partly inside and partly
 * outside of the run. */
static int run_command_once(struct watch *w)
{
	struct session *s = &w->session;
	bool runs_on;
	u64 start;
	double begin_s;
	int status, ret = command_spawn(s, w->o->argv, -1, NULL);

	if (!ret)
		ret = cut_interval(w);
	if (ret)
		return ret;
	w->span_ns = 0;
	begin_s = w->end_s;
	start = now_ns();
	ret = command_go(s, w->o->argv[0]);
	if (ret)
		return ret < 0 ? ret : -ENOEXEC;
	status = command_wait(s, poll_and_cut, w, TRACER_POLL_NS, &runs_on);
	start = now_ns() - start;
	if (w->ret || cut_interval(w))
		return w->ret;
	w->runs->asked = s->asked;
	if (!status && !s->asked)
		add_run(w, begin_s, start);
	else if (!s->asked && !w->runs->jobs.n)
		return error(-ECHILD, "the first run of '%s' failed with status %d", w->o->argv[0],
			     status);
	else
		w->runs->failed += !s->asked;
	return 0;
}

/* Waits for the pause between two runs. Returns false if a signal such as SIGINT arrived. */
static bool wait_between(struct watch *w)
{
	u64 until = now_ns() + w->o->pause_ns;

	w->runs->asked = !measured_wait(w->tracer, w->session.signals, until, TRACER_POLL_NS);
	return !w->runs->asked;
}

static int run_repeatedly(struct watch *w)
{
	int ret = 0;

	for (u64 i = 0; !ret && !w->runs->asked && i < w->o->count; i++) {
		if (i && !wait_between(w))
			break;
		progress("run %u of %llu", w->runs->jobs.n + 1, (unsigned long long)w->o->count);
		ret = run_command_once(w);
	}
	progress_end();
	return ret;
}

/* Starts to measure all cgroups, including the cgroup of the command. */
static int start_tracing(struct watch *w)
{
	const struct cgroup *own = &w->session.target, *root;
	bool charged = w->session.charged.path[0];
	struct tracer_options *options = &w->runs->options;
	struct timespec real;
	int ret = measured_target(options, charged ? CHARGE_AUTO : CHARGE_TASK, NULL);

	if (ret)
		return ret;
	root = options->attribution == BY_BLKCG ? &options->charged : &options->target;
	if (options->attribution == BY_BLKCG)
		own = &w->session.charged;
	w->own = own->path + strlen(root->path);
	clock_gettime(CLOCK_REALTIME, &real);
	w->epoch_s = real.tv_sec + real.tv_nsec / 1e9 - now_ns() / 1e9;
	ret = tracer_new(options, &w->tracer);
	return ret ?: cuts_begin(&w->cuts, w->tracer);
}

static void drop_zero_spans(struct runs *r)
{
	for (u32 i = 0; i < r->jobs.n; i++)
		if (r->jobs.list[i].seconds[FORM_SPAN])
			return;
	for (u32 i = 0; i < r->jobs.n; i++)
		r->jobs.list[i].seconds[FORM_SPAN] = NAN;
	warn("the command had no disk accesses; only its elapsed time is analysed");
}

static int finish_runs(struct runs *r, const struct watch *w)
{
	if (r->jobs.n < RUNS_LEAST)
		return error(-ENODATA,
			     "runs that succeeded: %u, that failed: %u; at least %u are needed",
			     r->jobs.n, r->failed, RUNS_LEAST);
	drop_zero_spans(r);
	group_columns_fill(&w->groups, &r->system, RUNS_MOST_GROUPS, RUNS_LEAST_FRACTION);
	timed_jobs_finish(&r->jobs);
	return series_finish(&r->system, "the machine");
}

/* Runs the command repeatedly. The command's stdout is redirected to stderr, because iospan's own
 * stdout has the results. */
static int run_with_stdout_apart(struct watch *w)
{
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), ret;

	if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return error(-errno, "cannot redirect the command's stdout: %s", strerror(errno));
	ret = run_repeatedly(w);
	dup2(out, STDOUT_FILENO);
	close(out);
	return ret;
}

int runs_measure(struct runs *r, const struct runs_options *o)
{
	struct measured_opts what = MEASURED_DEFAULTS_OF(1 << LAYER_DEVICE);
	struct watch w = { .runs = r, .o = o };
	struct measured how = {};
	int left, ret;

	*r = (struct runs){ .argv = o->argv };
	for (int i = 0; i < RUNS_SUMS; i++)
		series_column(&r->system, others_names[i], false);
	what.cgroups = true;
	what.attribution = o->attribution;
	ret = measured_prepare(&how, &what);
	if (ret)
		return ret;
	r->options = how.options;
	ret = session_begin(&w.session, NULL, how.charge, 0);
	if (!ret)
		ret = start_tracing(&w);
	if (!ret)
		ret = run_with_stdout_apart(&w);
	left = session_end(&w.session);
	r->m = w.cuts.last;
	tracer_free(w.tracer);
	if (left > 0)
		warn("%d process%s of the command %s still running", left, num_word(left, "", "es"),
		     num_word(left, "is", "are"));
	if (!ret)
		ret = finish_runs(r, &w);
	group_columns_release(&w.groups);
	return ret;
}

void runs_release(struct runs *r)
{
	timed_jobs_release(&r->jobs);
	series_release(&r->system);
	measurement_free(r->m);
	joint_release(&r->joint);
}
