// SPDX-License-Identifier: GPL-2.0-or-later
/* A workload, given by the values of its parameters. */
#include "bench/model/workload.h"

#include <errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"

/* random sizes and amounts of data are rounded to pages, unless the range starts below one page */
#define PAGE 4096
/* with normally distributed sizes, the largest request is up to this many times the mean
 * (STREAM_NORMAL_MOST) */
#define BIGGEST 6
#define TRIES 1000

const struct parameter_row parameters[PARAMETERS] = {
	[PARAM_UNIQUE_BYTES] = { "unique_bytes", "unique-bytes", "unique bytes", PARAM_BYTES },
	[PARAM_SIZE] = { "size_bytes", "size", "size", PARAM_BYTES },
	[PARAM_READ] = { "read_fraction", "read", "read", PARAM_FRACTION },
	[PARAM_SEQ] = { "sequential_fraction", "seq", "sequential", PARAM_FRACTION },
	[PARAM_PROCS] = { "process_count", "procs", "processes", PARAM_COUNT },
	[PARAM_DEPTH] = { "depth", "depth", "depth", PARAM_COUNT },
};

const char *parameter_valid_text(enum parameter p)
{
	static const char *const texts[] = {
		[PARAM_BYTES] = "a size of 1 or more, such as 4k",
		[PARAM_FRACTION] = "a fraction from 0 to 1, such as 0.67 or 67%",
		[PARAM_COUNT] = "a number of 1 or more",
	};

	return texts[parameters[p].kind];
}

int parameter_parse(enum parameter p, const char *text, double *v)
{
	uint64_t whole = 0;
	double value;
	int ret;

	if (parameters[p].kind == PARAM_FRACTION) {
		ret = num_real(text, &value);
	} else {
		ret = (parameters[p].kind == PARAM_BYTES ? num_size : num_uint)(text, &whole);
		value = whole;
	}
	if (!ret && !parameter_is_valid(p, value))
		ret = -ERANGE;
	if (!ret)
		*v = value;
	return ret;
}

const char *parameter_text(char *buf, enum parameter p, double v)
{
	switch (parameters[p].kind) {
	case PARAM_BYTES:
		return num_bytes_text(buf, v);
	case PARAM_COUNT:
		return num_count_text(buf, v);
	default:
		return num_ratio_text(buf, v);
	}
}

bool parameter_is_valid(enum parameter p, double v)
{
	if (parameters[p].kind == PARAM_FRACTION)
		return v >= 0 && v <= 1;
	return v >= 1 && v <= (double)INT64_MAX;
}

double parameter_axis(enum parameter p, double v)
{
	return parameters[p].kind == PARAM_FRACTION ? v : log(v);
}

enum parameter workload_read(const struct out *object, struct workload *w)
{
	enum parameter p;

	for (p = 0; p < PARAMETERS; p++) {
		if (p == PARAM_DEPTH && !out_get(object, parameters[p].key))
			w->v[p] = 1;
		else if (!out_get_f64(object, parameters[p].key, &w->v[p]) ||
			 !parameter_is_valid(p, w->v[p]))
			break;
	}
	return p;
}

struct out *workload_json(const struct workload *w)
{
	struct out *o = out_object();

	for (enum parameter p = 0; p < PARAMETERS; p++)
		out_f64(o, parameters[p].key, w->v[p]);
	return o;
}

const char *workload_text(char buf[WORKLOAD_TEXT], const struct workload *w)
{
	char bytes[NUM_TEXT], size[NUM_TEXT];
	const double *v = w->v;

	snprintf(buf, WORKLOAD_TEXT,
		 "%s, requests of %s, %.4g %% read, %.4g %% sequential, "
		 "%.0f %s, depth %.0f",
		 parameter_text(bytes, PARAM_UNIQUE_BYTES, v[PARAM_UNIQUE_BYTES]),
		 parameter_text(size, PARAM_SIZE, v[PARAM_SIZE]), v[PARAM_READ] * 100,
		 v[PARAM_SEQ] * 100, v[PARAM_PROCS],
		 num_word(v[PARAM_PROCS], "process", "processes"), v[PARAM_DEPTH]);
	return buf;
}

const char *const probe_words[] = { NULL, "random", "near" };

enum probe probe_of(const char *word)
{
	for (enum probe p = PROBE_RANDOM; word && p <= PROBE_NEAR; p++)
		if (!strcmp(word, probe_words[p]))
			return p;
	return PROBE_NONE;
}

static double random_value(gsl_rng *rng, enum parameter p, struct range r)
{
	double low = parameter_axis(p, r.min), high = parameter_axis(p, r.max);
	double at = low + gsl_rng_uniform(rng) * (high - low), unit = 1;

	if (parameters[p].kind == PARAM_FRACTION)
		return at;
	if (parameters[p].kind == PARAM_BYTES && r.min >= PAGE)
		unit = PAGE;
	return fmin(fmax(round(exp(at) / unit) * unit, r.min), r.max);
}

static bool is_possible(const struct workload *w, double buffer_bytes)
{
	double most = BIGGEST * w->v[PARAM_SIZE] * w->v[PARAM_PROCS];

	return most <= w->v[PARAM_UNIQUE_BYTES] && most * w->v[PARAM_DEPTH] <= buffer_bytes;
}

/* Returns a random workload in which each process has enough data for its largest request, and all
 * buffers together take at most @buffer_bytes. If TRIES random workloads do not meet these
 * conditions, takes the smallest requests and the fewest processes. */
static struct workload random_one(gsl_rng *rng, const struct range ranges[PARAMETERS],
				  double buffer_bytes)
{
	struct workload w;

	for (int i = 0; i < TRIES; i++) {
		for (enum parameter p = 0; p < PARAMETERS; p++)
			w.v[p] = random_value(rng, p, ranges[p]);
		if (is_possible(&w, buffer_bytes))
			return w;
	}
	w.v[PARAM_SIZE] = ranges[PARAM_SIZE].min;
	w.v[PARAM_PROCS] = ranges[PARAM_PROCS].min;
	return w;
}

struct workload *workloads_random(const struct range ranges[PARAMETERS], double buffer_bytes,
				  unsigned n, uint64_t seed)
{
	struct workload *w = need(calloc(n + 1, sizeof(*w)));
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));

	gsl_rng_set(rng, seed);
	for (unsigned i = 0; i < n; i++)
		w[i] = random_one(rng, ranges, buffer_bytes);
	gsl_rng_free(rng);
	return w;
}

struct range range_with(struct range r, double v)
{
	return isnan(v) ? r : (struct range){ fmin(r.min, v), fmax(r.max, v) };
}
