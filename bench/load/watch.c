// SPDX-License-Identifier: GPL-2.0-or-later
/* Watches a running load: reads its counters in each interval, and decides when the load ends. */
#include "bench/load/watch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "bench/load/layers.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/progress.h"
#include "user/base/signals.h"

#define LOOK_NS 50000000ULL
/* The load ends with an error if, for this time, requests have ended but none has succeeded. */
#define FAILING_NS 1000000000ULL

struct watch {
	const struct watch_options *options;
	struct load *load;
	struct layers *layers; /* measures the vfs and device layers; NULL: they are not measured */
	struct load_result *result;
	FILE *live;
	/* time of the last signal; signals_came() ignores another signal shortly after it */
	u64 asked_ns;
	bool measures; /* true: the BPF programs for .layers are attached */
	u64 start_ns, last_ns, last_count, last_span, total_span;
	/* .good_ns: end of the last successful request. .failed: number of requests that have
	 * failed. .failing_ns: since this time, requests have failed in each interval, and none has
	 * succeeded; 0: there is no such time. */
	u64 good_ns, failed, failing_ns;
};

/* Waits until the time @until, and returns false. If a signal asks the load to end, returns true at
 * once. */
static bool asked_to_end(struct watch *w, u64 until)
{
	struct pollfd signals = { .fd = w->options->signals, .events = POLLIN };
	u64 now = now_ns();
	struct timespec left = {};

	if (w->measures)
		layers_poll(w->layers);
	if (until > now) {
		left.tv_sec = (until - now) / 1000000000;
		left.tv_nsec = (until - now) % 1000000000;
	}
	return ppoll(&signals, 1, &left, NULL) > 0 &&
		signals_came(w->options->signals, &w->asked_ns);
}

/* Waits until the time @until and returns true. Returns false earlier if the load has ended or
 * failed, or after a signal. After a signal, sets result->end to END_SIGNAL. */
static bool runs_until(struct watch *w, u64 until)
{
	for (u64 now = now_ns(); now < until; now = now_ns()) {
		u64 look = now + LOOK_NS;

		if (load_is_done(w->load) || load_error(w->load))
			return false;
		if (asked_to_end(w, look < until ? look : until)) {
			w->result->end = END_SIGNAL;
			return false;
		}
	}
	return true;
}

/* Calls @has(load) at intervals until it returns true, and then returns true. If a signal comes
 * first, returns false. */
static bool wait_for_load(struct watch *w, bool (*has)(struct load *))
{
	while (!has(w->load))
		if (asked_to_end(w, now_ns() + 1000000))
			return false;
	return true;
}

static void read_counts(struct watch *w, u64 now)
{
	struct load_result *r = w->result;
	u64 span;

	memset(r->ops, 0, sizeof(r->ops));
	memset(&r->all, 0, sizeof(r->all));
	span = load_read(w->load, r->ops, now);
	w->total_span += span_delta_ns(w->last_span, span);
	w->last_span = span;
	for (int i = 0; i < 2; i++) {
		r->ops[i].elapsed_ns = now - w->start_ns;
		sum_add_row(&r->all, &r->ops[i].row);
	}
	sum_set_span(&r->all, w->total_span, now - w->start_ns);
	r->counts = load_count(w->load);
}

static void fail_load(struct load_result *r, const char *when)
{
	error(-EIO, "no request succeeds%s: %s", when,
	      r->counts.first_errno ? strerror(r->counts.first_errno) : "all end short");
	r->end = END_ERROR;
}

/* Returns true if, for at least FAILING_NS, requests have failed in each interval, and none has
 * succeeded. A single interval is not enough: after a pause of the machine, this process may run
 * before the workers. If no request has ended, returns false, because the disk may just be slow. */
static bool fails_only(struct watch *w, u64 now)
{
	u64 failed = w->result->all.row.errors + w->result->counts.short_requests;
	u64 good_ns = w->result->counts.good_ns;

	if (failed == w->failed || good_ns > w->good_ns)
		w->failing_ns = 0;
	else if (!w->failing_ns)
		w->failing_ns = now;
	w->good_ns = good_ns;
	w->failed = failed;
	return w->failing_ns && now - w->failing_ns >= FAILING_NS;
}

static void add_round(struct watch *w, u64 now)
{
	const struct watch_options *o = w->options;
	struct load_result *r = w->result;
	u64 count;
	int ret;

	read_counts(w, now);
	count = o->of_bytes ? r->all.row.bytes : r->all.row.accesses;
	rounds_add(&r->rounds, (count - w->last_count) * 1e9 / (now - w->last_ns));
	w->last_count = count;
	w->last_ns = now;
	if (!o->silent && isatty(STDERR_FILENO))
		load_progress(r, now - w->start_ns,
			      r->spec->requests || o->steady ? 0 : o->time_ns);
	ret = w->live ? load_live(w->live, r, now - w->start_ns) : 0;
	if (ret) {
		warn("cannot write to '%s': %s; no more lines there", o->live->path,
		     strerror(-ret));
		w->live = NULL;
	}
}

static bool is_known_well(const struct rounds *r, double share)
{
	struct interval ci = batch_means(r->rate, r->n);

	/* without enough intervals, .half_width is NaN, so the comparison is false */
	return ci.mean > 0 && ci.half_width <= share * ci.mean;
}

static bool by_time(const struct watch *w)
{
	return !w->result->spec->requests && !w->options->steady;
}

/* Returns true if the load should end, and sets result->end to the reason. */
static bool load_is_over(struct watch *w, u64 now)
{
	const struct watch_options *o = w->options;
	struct load_result *r = w->result;
	const struct rounds *rounds = &r->rounds;
	/* load_is_done() must run before load_error(), because load_is_done() notices killed
	 * workers */
	bool done = load_is_done(w->load);

	if (load_error(w->load))
		r->end = END_ERROR;
	else if (fails_only(w, now))
		fail_load(r, " any more");
	else if (o->deadline_ns && now >= o->deadline_ns)
		r->end = END_DEADLINE;
	else if (o->until_ci > 0 && is_known_well(rounds, o->until_ci))
		r->end = END_CI;
	else if (o->steady && steady_test(rounds->rate, rounds->n).reached)
		r->end = END_STEADY;
	else if (o->steady && rounds->n >= STEADY_ROUNDS)
		r->end = END_NOT_STEADY;
	else
		return done ||
			(by_time(w) && now - w->start_ns >= o->time_ns &&
			 r->all.row.accesses >= o->least);
	return true;
}

static void watch_rounds(struct watch *w)
{
	const struct watch_options *o = w->options;
	u64 now = now_ns(), round_end = now + o->round_ns, until, over = now + o->time_ns;

	w->start_ns = w->last_ns = now;
	w->last_span = load_read(w->load, w->result->ops, now);
	load_order(w->load, LOAD_RUN);
	do {
		until = round_end;
		if (by_time(w) && now < over && over < until)
			until = over;
		if (!runs_until(w, until) && w->result->end == END_SIGNAL)
			return;
		now = now_ns();
		if (now < round_end)
			continue;
		add_round(w, now);
		while (round_end <= now)
			round_end += o->round_ns;
	} while (!load_is_over(w, now));
}

static int start_load(struct watch *w)
{
	int ret = load_start(w->load, w->options->session);

	if (!ret && !wait_for_load(w, load_waits))
		ret = -EINTR;
	return ret ? ret : load_error(w->load);
}

/* Runs the load for the warm-up time, without measuring. Then waits until all requests have ended,
 * so that the measurement starts without requests in flight. */
static int run_warm_up(struct watch *w)
{
	load_order(w->load, LOAD_RUN);
	if (!runs_until(w, now_ns() + w->options->warm_up_ns) && w->result->end == END_SIGNAL)
		return -EINTR;
	load_order(w->load, LOAD_WAIT);
	if (!wait_for_load(w, load_waits))
		return -EINTR;
	load_forget(w->load);
	return load_error(w->load);
}

static int attach_layers(struct watch *w)
{
	int ret = layers_attach(w->layers);

	w->measures = !ret;
	if (!ret && asked_to_end(w, 0))
		ret = -EINTR;
	return ret;
}

/* Ends the load and waits for its requests in flight; a second signal ends the wait. */
static void stop(struct watch *w)
{
	struct load_result *r = w->result;
	bool drained;

	load_order(w->load, LOAD_STOP);
	drained = wait_for_load(w, load_is_done);
	if (load_error(w->load))
		r->end = END_ERROR;
	else if (!drained)
		r->end = END_SIGNAL;
	/* If the load was over before a worker ran, .ended_ns is 0, so the current time is used. */
	read_counts(w, (drained ? load_count(w->load).ended_ns : 0) ?: now_ns());
	if (r->end != END_ERROR && r->all.row.accesses &&
	    r->all.row.accesses == r->all.row.errors + r->counts.short_requests)
		fail_load(r, "");
}

static int watch_run(struct watch *w)
{
	int ret = start_load(w);

	if (!ret && !w->result->spec->requests && w->options->warm_up_ns)
		ret = run_warm_up(w);
	if (!ret && w->layers)
		ret = attach_layers(w);
	if (ret)
		return ret;
	watch_rounds(w);
	stop(w);
	return w->layers ? layers_measure(w->layers) : 0;
}

int watch_load(struct load *l, const struct watch_options *o, struct layers *layers,
	       struct load_result *r)
{
	struct watch w = { .options = o,
			   .load = l,
			   .layers = layers,
			   .result = r,
			   .live = o->live ? o->live->f : NULL };
	int ret = watch_run(&w);

	if (!o->silent)
		progress_end();
	return ret;
}

int watch_whole_load(const struct load_spec *spec, const int *fds, unsigned n,
		     const struct watch_options *o, struct layers *layers, struct load_result *r)
{
	struct load *l = load_new(spec, fds, n);
	int ret = l ? 0 : -ENOMEM;

	r->spec = spec;
	r->how = o;
	if (!ret)
		ret = watch_load(l, o, layers, r);
	load_free(l);
	if (ret)
		return ret;
	switch (r->end) {
	case END_SIGNAL:
		return -EINTR;
	case END_DEADLINE:
		return -ETIME;
	case END_ERROR:
		return -EIO;
	default:
		return 0;
	}
}
