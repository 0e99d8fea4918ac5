// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the sets, and each case several times. */
#include "bench/sets/sets.h"

#include <fcntl.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#include "bench/beff/mpi-ranks.h"
#include "bench/load/others.h"
#include "bench/load/target.h"
#include "bench/load/watch.h"
#include "user/base/clock.h"
#include "user/host/environment.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/progress.h"
#include "user/base/signals.h"

#define ALIGN 4096
#define ROUND_NS 50000000ULL /* interval in ns at which a running load is examined */

/* Drops the page cache of the whole machine. Returns 0 or -errno; prints the error. */
static int drop_caches(void)
{
	char *path = need_text("%s/sys/vm/drop_caches", this_host.proc);
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	sync();
	if (fd < 0 || write(fd, "3", 1) != 1)
		ret = error(-errno, "cannot write to '%s': %s%s", path, strerror(errno),
			    errno == EACCES ? "; --drop-caches takes root" : "");
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

static int flush_caches(const struct sets *s, const struct target *t)
{
	for (; t && t->name; t++) {
		if (fsync(t->guard.fd))
			return error(-errno, "cannot write '%s': %s", t->name, strerror(errno));
		posix_fadvise(t->guard.fd, 0, 0, POSIX_FADV_DONTNEED);
	}
	return s->how.drop_caches ? drop_caches() : 0;
}

static struct load_spec load_spec_of(const struct sets *s, const struct sets_case *c)
{
	u64 each = c->bytes / c->procs;
	bool strided = c->regions.size;

	return (struct load_spec){
		.stream = { .unique_bytes = each,
			    .align = strided ? c->regions.size : ALIGN,
			    .size = c->size,
			    .read = 1,
			    .seq = 1 },
		.engine = strided ? &engine_sieve : s->how.engine,
		.buffered = strided || !s->how.direct,
		.processes = true,
		.opened_each = true,
		.procs = c->procs,
		.depth = 1,
		.batch = 1,
		.requests = each / c->size,
		.regions = c->regions,
	};
}

/* Fills @fds with file descriptors for load_new(), and returns their number. load_new() gives each
 * process one element of @fds. Processes that share an element divide the file among themselves.
 * But if the case has regions, each process reads all over the file, so each gets its own
 * element. */
static unsigned descriptors(const struct sets_case *c, const struct target *t, int *fds)
{
	unsigned n = c->regions.size ? c->procs : c->files;

	for (unsigned i = 0; i < n; i++)
		fds[i] = t[c->first + i % c->files].guard.fd;
	return n;
}

static void take_sums(struct sets *s, const struct sum *app, struct sets_run *run)
{
	const struct sum *of[LAYERS] = { [LAYER_APP] = app };
	struct sum below[LAYERS];

	for (int layer = LAYER_VFS; s->layers.traced && layer <= LAYER_DEVICE; layer++) {
		below[layer] = layers_sum(&s->layers, layer);
		of[layer] = &below[layer];
	}
	sets_take(run, app->elapsed_ns, of);
}

static int check_result(const struct sets_case *c, const struct load_result *result)
{
	if (!result->all.row.errors && result->all.row.bytes == c->bytes)
		return 0;
	return error(-EIO, "case '%s' read %llu of %llu bytes: %s", c->name,
		     (unsigned long long)result->all.row.bytes, (unsigned long long)c->bytes,
		     result->counts.first_errno ? strerror(result->counts.first_errno) :
						  "unexpected end of file");
}

static int run_case_load(struct sets *s, const struct sets_case *c, const struct target *t,
			 struct sum *app)
{
	const struct watch_options how = {
		.round_ns = ROUND_NS,
		.silent = true,
		.session = s->layers.grouped ? &s->layers.session : NULL,
		.signals = s->signals,
	};
	const struct load_spec spec = load_spec_of(s, c);
	int fds[c->procs], ret;
	unsigned n = descriptors(c, t, fds);
	struct load_result result = {};

	ret = watch_whole_load(&spec, fds, n, &how, s->layers.traced ? &s->layers : NULL, &result);
	free(result.rounds.rate);
	*app = result.all;
	return ret ?: check_result(c, &result);
}

static int run_ranks(struct sets *s, const struct sets_case *c, const struct target *t,
		     struct sum *app, struct others *before)
{
	int ret = s->layers.traced ? layers_attach(&s->layers) : 0;

	if (!ret)
		ret = sets_mpi_read(s, c, t[c->first].guard.fd, app, before);
	return ret || !s->layers.traced ? ret : layers_measure(&s->layers);
}

static int measure_run(struct sets *s, const struct sets_case *c, const struct target *t,
		       struct sets_run *run, struct others *before)
{
	struct sum app = {};
	int ret;

	if (!t)
		return sets_run_command(c, run);
	ret = s->how.ranks ? run_ranks(s, c, t, &app, before) : run_case_load(s, c, t, &app);
	if (!ret)
		take_sums(s, &app, run);
	return ret;
}

static int run_case(struct sets *s, struct sets_case *c, const struct target *t)
{
	struct sets_run run = {};
	struct others before;
	int ret = flush_caches(s, t);

	run.begin_ns = now_ns();
	before = others_now();
	if (!ret)
		ret = measure_run(s, c, t, &run, &before);
	run.others = others_since(&before);
	if (ret) {
		out_free(run.layers);
		out_free(run.evidence);
		return ret;
	}
	c->runs = need(reallocarray(c->runs, c->runs_n + 1, sizeof(*c->runs)));
	c->runs[c->runs_n++] = run;
	return 0;
}

static void case_progress(const struct sets_experiment *e, const struct sets_case *c, u64 run,
			  u64 runs)
{
	progress("set %s, run %llu of %llu: %s", sets_names[e->kind], (unsigned long long)run + 1,
		 (unsigned long long)runs, c->name);
}

/* Runs each case how.runs times. Shuffles the cases each time, so that slow changes of the machine
 * affect all cases alike. */
static int run_cases(struct sets *s, struct sets_experiment *e, const struct target *t)
{
	gsl_rng *draw = need(gsl_rng_alloc(gsl_rng_mt19937));
	unsigned *order = need(calloc(e->cases_n, sizeof(*order)));
	int ret = 0;

	gsl_rng_set(draw, s->how.seed);
	for (unsigned i = 0; i < e->cases_n; i++)
		order[i] = i;
	for (u64 run = 0; run < s->how.runs && !ret; run++) {
		gsl_ran_shuffle(draw, order, e->cases_n, sizeof(*order));
		for (unsigned i = 0; i < e->cases_n && !ret; i++) {
			case_progress(e, &e->cases[order[i]], run, s->how.runs);
			ret = signals_pending() ? -EINTR : run_case(s, &e->cases[order[i]], t);
		}
	}
	free(order);
	gsl_rng_free(draw);
	return ret;
}

/* Opens the files of a set and runs its cases. Set 4 never uses direct I/O, because its regions are
 * not aligned to blocks. */
static int run_experiment(struct sets *s, struct sets_experiment *e)
{
	const struct guard_options guard = {
		.direct = s->how.direct && e->kind != SETS_SIEVING,
	};
	struct target *t = NULL;
	int ret;

	if (e->files_n && !(t = targets_open(e->files, e->bytes, &guard, NULL)))
		return signals_pending() ? -EINTR : -EIO;
	ret = run_cases(s, e, t);
	targets_close(t);
	progress_end();
	return ret;
}

static int run_experiments(struct sets *s)
{
	int ret = 0;

	for (unsigned i = 0; i < s->n && !ret; i++)
		ret = run_experiment(s, &s->list[i]);
	return ret;
}

/* Runs all sets. Signals are caught all the time, so that no signal is lost between two runs. */
static int run_with_signals(struct sets *s)
{
	sigset_t before;
	int ret;

	s->signals = signals_catch(0, &before);
	if (s->signals < 0)
		return s->signals;
	ret = s->how.ranks ? sets_mpi_begin(s) : 0;
	if (!ret)
		ret = run_experiments(s);
	mpi_leave_groups();
	signals_release(s->signals, &before);
	return ret;
}

int sets_run(struct sets *s)
{
	u64 start = now_ns();
	int ret = s->targets ? layers_begin_if_possible(&s->layers, NULL, 0) : 0;

	s->environment = environment(&this_host, s->targets ? s->targets[0] : NULL);
	if (!ret)
		ret = run_with_signals(s);
	s->elapsed_ns = now_ns() - start;
	s->complete = !ret;
	return ret;
}

int sets_end(struct sets *s)
{
	sets_forget(s);
	out_free(s->environment);
	return layers_end(&s->layers);
}
