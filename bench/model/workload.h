/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload by the model of Chen and Patterson 1993, section 5: a value for each of five
 * parameters. The depth is added for modern devices. */
#ifndef IOSPAN_WORKLOAD_H
#define IOSPAN_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct out;

enum parameter {
	PARAM_UNIQUE_BYTES, /* uniqueBytes of the paper: bytes that all processes access */
	PARAM_SIZE,	    /* sizeMean of the paper: mean request size */
	PARAM_READ,	    /* readFrac of the paper: fraction of reads */
	PARAM_SEQ,	    /* seqFrac of the paper: fraction of sequential requests */
	PARAM_PROCS,	    /* processNum of the paper: number of processes */
	PARAM_DEPTH,
	PARAMETERS
};

enum parameter_kind { PARAM_BYTES, PARAM_FRACTION, PARAM_COUNT };

struct parameter_row {
	const char *key;	  /* JSON key, such as "unique_bytes" */
	const char *option;	  /* name of the option, such as "unique-bytes" */
	const char *title;	  /* title of columns and plots, such as "unique bytes" */
	enum parameter_kind kind; /* the axis is linear for PARAM_FRACTION, else logarithmic */
};

extern const struct parameter_row parameters[PARAMETERS];

struct workload {
	double v[PARAMETERS]; /* values of the parameters; NaN: not given */
};

struct range {
	double min, max;
};

/* The purpose of a measured workload. Probes are measured to find the error of predictions and to
 * improve them. */
enum probe {
	PROBE_NONE, /* PROBE_NONE: a point of a curve */
	PROBE_RANDOM,
	PROBE_NEAR, /* a probe near a workload with a large prediction error */
};
/* JSON words, indexed by enum probe; NULL for PROBE_NONE. */
extern const char *const probe_words[];
enum probe probe_of(const char *word);

/* Reads the value of an option, such as 256M, 0.67 or 4. Returns 0, -EINVAL or -ERANGE as the
 * functions of num.h do; prints nothing. */
int parameter_parse(enum parameter p, const char *text, double *v);
/* Writes a value as text to @buf, which has NUM_TEXT bytes. */
const char *parameter_text(char *buf, enum parameter p, double v);
/* Returns true if @v is a possible value of @p: from 0 to 1 for fractions, at least 1 for
 * others. */
bool parameter_is_valid(enum parameter p, double v);
/* Returns the position of @v on the axis of @p, which is linear for fractions, else logarithmic. */
double parameter_axis(enum parameter p, double v);

/* Reads all parameters from the JSON object @object; a missing depth is 1. Returns the first
 * parameter that is missing or invalid, or PARAMETERS. */
enum parameter workload_read(const struct out *object, struct workload *w);
struct out *workload_json(const struct workload *w);
/* Writes a text such as "256 MiB, requests of 16.0 KiB, 67 % read, 50 % sequential, 4 processes,
 * depth 1" to @buf. */
#define WORKLOAD_TEXT 160
const char *workload_text(char buf[WORKLOAD_TEXT], const struct workload *w);

/* Draws @n random workloads, uniform over the axes within @ranges, as in section 9. Rejects
 * impossible workloads: each process must have data for its largest request, and the buffers of all
 * requests must fit @buffer_bytes. Equal seeds give equal workloads. The caller frees them. */
struct workload *workloads_random(const struct range ranges[PARAMETERS], double buffer_bytes,
				  unsigned n, uint64_t seed);

#endif
