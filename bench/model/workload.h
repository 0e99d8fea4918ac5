/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload by the model of Chen and Patterson 1993, section 5: a value of each of five
 * parameters. The depth is added for modern devices. */
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

enum parameter_kind { PARAM_BYTES, PARAM_FRACTION, PARAM_COUNT };

struct parameter_row {
	const char *key;    /* in JSON: "unique_bytes" */
	const char *option; /* "unique-bytes" */
	enum parameter_kind
		kind; /* PARAM_FRACTION has a linear axis, the others a logarithmic one */
};

extern const struct parameter_row parameters[PARAMETERS];

struct workload {
	double v[PARAMETERS]; /* NaN: not given */
};

struct range {
	double min, max;
};

/* Probes are workloads that were measured to find the error of predictions and to improve them. */
enum probe {
	PROBE_NONE, /* a point of a curve */
	PROBE_RANDOM,
	PROBE_NEAR, /* near a workload with a large error */
};
/* JSON words; NULL for PROBE_NONE. */
extern const char *const probe_words[];
enum probe probe_of(const char *word);

/* Reads the value of an option: 256M, 0.67, 4. Returns 0, -EINVAL or -ERANGE as in num.h; prints
 * nothing. */
int parameter_parse(enum parameter p, const char *text, double *v);
/* Formats a value for people; @buf as in num.h. */
const char *parameter_text(char *buf, enum parameter p, double v);
/* Is @v in the range of @p? Fractions are 0 to 1, other values at least 1. */
bool parameter_is_valid(enum parameter p, double v);
/* Returns the position of @v on the axis of @p: linear for fractions, else logarithmic. */
double parameter_axis(enum parameter p, double v);

/* Reads all parameters of @object; a missing depth is 1. Returns the first parameter that is
 * missing or invalid, or PARAMETERS. */
enum parameter workload_read(const struct out *object, struct workload *w);
struct out *workload_json(const struct workload *w);
/* "256 MiB, requests of 16.0 KiB, 67 % read, 50 % sequential, 4 processes, depth 1" */
#define WORKLOAD_TEXT 160
const char *workload_text(char buf[WORKLOAD_TEXT], const struct workload *w);

/* Returns @n workloads, uniform over the axes within @ranges, as in section 9. Rejects impossible
 * workloads: the largest requests must fit in the data of each process, and the buffers of all
 * requests in @buffer_bytes. Equal seeds give equal workloads. The caller frees them. */
struct workload *workloads_random(const struct range ranges[PARAMETERS], double buffer_bytes,
				  unsigned n, uint64_t seed);

#endif
