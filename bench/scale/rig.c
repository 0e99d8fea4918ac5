// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures workloads on one target, in a cgroup with a memory limit. */
#include "bench/scale/rig.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/load/others.h"
#include "bench/load/watch.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/signals.h"

#define ALIGN 4096
#define MS 1000000ULL
#define WARM_BYTES (1ULL << 20) /* request size with which data are read into the page cache */
/* The data of a workload fit into the page cache if CACHE_SPARE times their amount fits. The
 * reserve is needed because the size of the page cache is uncertain. */
#define CACHE_SPARE 1.25
#define WARM_LOOK_NS (2 * MS)
/* A quarter (1 / WARM_UP) of a measurement is a warm-up, because the first write to each page is
 * slow. */
#define WARM_UP 4
/* maximum number of intervals of a measurement */
#define ROUNDS 30
#define ROUND_LEAST_NS (2 * MS)

int rig_open(struct rig *r, const struct rig_options *o, u64 bytes, u64 until_ns)
{
	const struct guard_options guard = {
		.write = true,
		.destroy = o->destroy,
		.signature = o->signature,
		.direct = o->direct,
		.amount = { .option = o->bytes_option,
			    .processes = 1,
			    .bytes = bytes,
			    .align = ALIGN,
			    .at_least = ALIGN },
	};
	int ret;

	*r = (struct rig){ .options = o,
			   .signals = -1,
			   .target.guard.fd = -1,
			   .cache_bytes = room_in_cache(o->memory) };
	r->unit = target_unit(o->target, !o->direct);
	ret = r->signals = signals_catch(0, &r->before);
	if (ret >= 0)
		ret = target_open(&r->target, o->target, bytes, &guard);
	if (!ret)
		ret = layers_begin_if_possible(&r->layers, o->parent, o->memory);
	layers_set_target(&r->layers, o->target);
	if (!ret)
		ret = target_fill(&r->target, 0, NULL, until_ns);
	return ret;
}

int rig_close(struct rig *r)
{
	int ret = layers_end(&r->layers);

	if (r->signals >= 0)
		signals_release(r->signals, &r->before);
	guard_close(&r->target.guard);
	return ret;
}

static int rig_run_load(struct rig *r, const struct load_spec *spec, struct watch_options *how,
			struct layers *layers, struct load_result *result)
{
	how->silent = true;
	how->session = r->layers.grouped ? &r->layers.session : NULL;
	how->signals = r->signals;
	return watch_whole_load(spec, &r->target.guard.fd, 1, how, layers, result);
}

static u64 part_bytes(const struct sample *s)
{
	u64 each = s->at.v[PARAM_UNIQUE_BYTES] / s->at.v[PARAM_PROCS];

	return each - each % ALIGN;
}

/* Returns true if the page cache can hold all data of the workload while the load runs. */
static bool fits_cache(const struct rig *r, const struct sample *s)
{
	return s->at.v[PARAM_UNIQUE_BYTES] * CACHE_SPARE <= r->cache_bytes;
}

/* Reads the data into the page cache, but at most CACHE_SPARE times the bytes that it can hold. If
 * there are more data, reads only the start of each process's part. If one process's part were
 * cached as a whole, this process would run many times faster than the others. */
static int read_through(struct rig *r, const struct sample *s)
{
	double share = r->cache_bytes * CACHE_SPARE / s->at.v[PARAM_UNIQUE_BYTES];
	u64 part = part_bytes(s), bytes = share < 1 ? part * share : part;
	struct load_spec spec = {
		.stream = { .unique_bytes = part,
			    .align = ALIGN,
			    .read = 1,
			    .seq = 1,
			    .size = part < WARM_BYTES ? part : WARM_BYTES },
		.engine = &engine_psync,
		.buffered = true,
		.procs = s->at.v[PARAM_PROCS],
		.depth = 1,
		.batch = 1,
	};
	struct watch_options how = { .round_ns = WARM_LOOK_NS, .deadline_ns = r->deadline_ns };
	struct load_result result = {};
	int ret;

	spec.requests = (bytes + spec.stream.size - 1) / spec.stream.size;
	ret = rig_run_load(r, &spec, &how, NULL, &result);
	free(result.rounds.rate);
	return ret;
}

static int set_cache(struct rig *r, const struct sample *s)
{
	u64 bytes = s->at.v[PARAM_UNIQUE_BYTES];
	int fd = r->target.guard.fd, ret;

	if (fsync(fd))
		return error(-errno, "cannot write '%s': %s", r->target.name, strerror(errno));
	if (bytes == r->cached_bytes && fits_cache(r, s))
		return 0;
	r->cached_bytes = 0;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	ret = read_through(r, s);
	if (!ret)
		r->cached_bytes = bytes;
	return ret;
}

/* Makes the load for the workload of @s. Each measurement has a different seed, because two
 * measurements with identical requests would agree too well. */
static void make_load_spec(struct rig *r, const struct sample *s, struct load_spec *spec)
{
	const double *v = s->at.v;

	sizes_normal(&r->sizes, v[PARAM_SIZE] / r->unit);
	*spec = (struct load_spec){
		.stream = { .unique_bytes = part_bytes(s),
			    .align = r->unit,
			    .size = v[PARAM_SIZE],
			    .sizes = &r->sizes,
			    .read = v[PARAM_READ],
			    .seq = v[PARAM_SEQ],
			    .seed = r->options->seed + r->measured++ },
		.sizes = "normal",
		.buffered = !r->options->direct,
		.engine = s->ring ? &engine_uring : &engine_psync,
		.procs = v[PARAM_PROCS],
		.depth = v[PARAM_DEPTH],
		.batch = 1,
		.processes = true,
	};
}

/* Returns true if the measurement was steady. For the test, combines the intervals of the
 * measurement into STEADY_WINDOW longer intervals, because single intervals are too short. */
static bool is_steady(const struct rounds *all)
{
	double fifths[STEADY_WINDOW];
	unsigned each = all->n / STEADY_WINDOW, first = all->n % STEADY_WINDOW;

	for (unsigned i = 0; i < STEADY_WINDOW && each; i++) {
		fifths[i] = 0;
		for (unsigned k = 0; k < each; k++)
			fifths[i] += all->rate[first + i * each + k] / each;
	}
	return each && steady_test(fifths, STEADY_WINDOW).reached;
}

static void fill_sample(const struct rig *r, const struct load_result *result, struct sample *s)
{
	struct interval ci = batch_means(result->rounds.rate, result->rounds.n);

	s->bandwidth = metric_value(&result->all, KEY_BANDWIDTH);
	s->half_width = ci.half_width / ci.mean;
	s->iops = metric_value(&result->all, "iops");
	s->latency_mean_ns = metric_value(&result->all, KEY_LATENCY_MEAN);
	s->steady = is_steady(&result->rounds);
	s->measured_ns = result->all.elapsed_ns;
	s->size_cv = r->sizes.cv;
	s->layers = layers_last_json(r->layers.traced ? &r->layers : NULL, &result->all);
}

int rig_measure(struct rig *r, u64 time_ns, struct sample *s)
{
	u64 until = now_ns() + time_ns, left = RIG_LEAST_NS, now;
	struct load_result result = {};
	struct watch_options how = { .of_bytes = true, .until_ci = RIG_KNOWN, .least = 1 };
	struct load_spec spec;
	struct others before;
	int ret = 0;

	make_load_spec(r, s, &spec);
	if (spec.stream.unique_bytes < stream_most_bytes(&spec.stream))
		return error(-EINVAL,
			     "cannot measure a workload with requests larger than its data");
	if (!r->options->direct)
		ret = set_cache(r, s);
	if (ret)
		return ret;
	now = now_ns();
	if (until > now && until - now > left)
		left = until - now;
	how.warm_up_ns = left / WARM_UP;
	how.time_ns = left - how.warm_up_ns;
	how.round_ns = fmax(how.time_ns / ROUNDS, ROUND_LEAST_NS);
	before = others_now();
	ret = rig_run_load(r, &spec, &how, r->layers.traced ? &r->layers : NULL, &result);
	s->others = others_since(&before);
	if (!ret)
		fill_sample(r, &result, s);
	free(result.rounds.rate);
	return ret;
}
