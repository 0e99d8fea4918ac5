/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload as Chen and Patterson 1993 describe it: a place in the space of five
 * parameters, and of the depth, which modern devices need besides. */
#ifndef IOSPAN_WORKLOAD_H
#define IOSPAN_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct out;

enum parameter {
	PARAM_UNIQUE_BYTES, /* uniqueBytes, over all processes */
	PARAM_SIZE,	    /* sizeMean */
	PARAM_READ,	    /* readFrac */
	PARAM_SEQ,	    /* seqFrac */
	PARAM_PROCS,	    /* processNum */
	PARAM_DEPTH,
	PARAMETERS
};

enum parameter_kind { PARAM_BYTES, PARAM_SHARE, PARAM_COUNT };

struct parameter_row {
	const char *key;	  /* in JSON: "unique_bytes" */
	const char *option;	  /* "unique-bytes" */
	enum parameter_kind kind; /* bytes and counts count by their logarithm */
};

extern const struct parameter_row parameters[PARAMETERS];

struct workload {
	double v[PARAMETERS]; /* NaN: not told */
};

struct range {
	double min, max;
};

/* Why a workload was measured: to see how far off a prediction is, and to make the next ones
 * better. */
enum probe {
	PROBE_NONE, /* no: it belongs to a curve */
	PROBE_RANDOM,
	PROBE_NEAR, /* near to one that was far off */
};
/* NULL for PROBE_NONE. */
extern const char *const probe_words[];
enum probe probe_of(const char *word);

/* A value as an option gives it: 256M, 0.67, 4. -EINVAL, -ERANGE as in num.h. */
int parameter_parse(enum parameter p, const char *text, double *v);
/* For people; @buf as in num.h. */
const char *parameter_text(char *buf, enum parameter p, double v);
/* Can a workload have it? Shares are 0 to 1, all else is at least 1. */
bool parameter_is_valid(enum parameter p, double v);
/* Where @v lies on the parameter's axis, which is logarithmic but for shares. */
double parameter_axis(enum parameter p, double v);

/* Reads all parameters of @object but depth, which is 1 if it is not there. Returns the
 * first that is missing or not valid, or PARAMETERS. */
enum parameter workload_read(const struct out *object, struct workload *w);
struct out *workload_json(const struct workload *w);
/* "256 MiB, requests of 16.0 KiB, 67 % read, 50 % sequential, 4 processes, depth 1" */
#define WORKLOAD_TEXT 160
const char *workload_text(char buf[WORKLOAD_TEXT], const struct workload *w);

/* @n workloads, even over the axes between @ranges, but for those that no load can be: each
 * process has room for its biggest requests, and they all for their buffers, @buffer_bytes.
 * The same for the same seed. The caller frees them. */
struct workload *workloads_random(const struct range ranges[PARAMETERS], double buffer_bytes,
				  unsigned n, uint64_t seed);

#endif
