/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload as Chen and Patterson 1993 describe it in section 5, by the values of five parameters.
 * A sixth parameter, the depth, is added for modern devices. */
#ifndef IOSPAN_WORKLOAD_H
#define IOSPAN_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct out;

enum parameter {
	/* bytes that all processes together access (uniqueBytes of Chen and Patterson 1993) */
	PARAM_UNIQUE_BYTES,
	PARAM_SIZE, /* mean request size (sizeMean of Chen and Patterson 1993) */
	PARAM_READ, /* fraction of reads (readFrac of Chen and Patterson 1993) */
	/* fraction of sequential requests (seqFrac of Chen and Patterson 1993) */
	PARAM_SEQ,
	PARAM_PROCS, /* number of processes (processNum of Chen and Patterson 1993) */
	PARAM_DEPTH,
	PARAMETERS
};

enum parameter_kind { PARAM_BYTES, PARAM_FRACTION, PARAM_COUNT };

struct parameter_row {
	const char *key;    /* key in JSON, such as "unique_bytes" */
	const char *option; /* name of the option that sets the parameter, such as "unique-bytes" */
	const char *title;  /* title of columns and plots, such as "unique bytes" */
	/* for PARAM_FRACTION the axis of a curve is linear, otherwise logarithmic */
	enum parameter_kind kind;
};

extern const struct parameter_row parameters[PARAMETERS];

struct workload {
	double v[PARAMETERS]; /* value of each parameter; NaN: not given */
};

struct range {
	double min, max;
};

/* Returns @r, extended so that it includes @v. If @v is NaN, returns @r unchanged. */
struct range range_with(struct range r, double v);

/* The reason why a workload was measured: for a curve, or as a probe. Probes show and reduce the
 * errors of predictions. */
enum probe {
	PROBE_NONE, /* the workload is no probe, but a point of a curve */
	PROBE_RANDOM,
	PROBE_NEAR, /* probe near a workload with a large prediction error */
};
/* Words in JSON, indexed by enum probe; NULL for PROBE_NONE. */
extern const char *const probe_words[];
enum probe probe_of(const char *word);

/* Parses a value such as 256M, 0.67 or 4. Returns 0, -EINVAL or -ERANGE; prints nothing. */
int parameter_parse(enum parameter p, const char *text, double *v);
/* Writes the value @v as text to @buf, which must have NUM_TEXT bytes. Returns @buf. */
const char *parameter_text(char *buf, enum parameter p, double v);
/* A fraction is valid from 0 to 1. Any other parameter is valid from 1 on. */
bool parameter_is_valid(enum parameter p, double v);
/* Returns the valid values in words, such as "a fraction from 0 to 1". */
const char *parameter_valid_text(enum parameter p);
/* Returns the position of @v on the axis of a curve: @v itself for a fraction, otherwise its
 * logarithm. */
double parameter_axis(enum parameter p, double v);

/* Reads the parameters from the JSON object @object. A missing depth is 1. Returns PARAMETERS on
 * success, otherwise the first parameter that is missing or invalid. */
enum parameter workload_read(const struct out *object, struct workload *w);
struct out *workload_json(const struct workload *w);
/* Describes the workload in @buf, for instance as "256 MiB, requests of 16.0 KiB, 67 % read, 50 %
 * sequential, 4 processes, depth 1". */
#define WORKLOAD_TEXT 160
const char *workload_text(char buf[WORKLOAD_TEXT], const struct workload *w);

/* Returns @n random workloads, uniformly distributed along the axes (parameter_axis()) within
 * @ranges (Chen and Patterson 1993, section 9). In each workload, every process has enough data for
 * its largest request. The buffers of all requests together take at most @buffer_bytes. Equal seeds
 * give equal workloads. The caller frees them. */
struct workload *workloads_random(const struct range ranges[PARAMETERS], double buffer_bytes,
				  unsigned n, uint64_t seed);

#endif
