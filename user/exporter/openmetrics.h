/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes text for Prometheus: OpenMetrics 1.0, or the older text format 0.0.4, here "classic".
 *
 * # TYPE iospan_bytes counter
 * # UNIT iospan_bytes bytes
 * # HELP iospan_bytes Bytes of accesses.
 * iospan_bytes_total{cgroup="/a",op="read"} 4096
 * # EOF */
#ifndef IOSPAN_OPENMETRICS_H
#define IOSPAN_OPENMETRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

extern const char openmetrics_type[], openmetrics_classic_type[]; /* for Content-Type */

enum family_kind { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_HISTOGRAM, FAMILY_INFO };

struct family {
	enum family_kind kind;
	const char *name; /* with the unit as suffix; without _total, _info */
	const char *unit;
	const char *help; /* a sentence */
};

struct openmetrics {
	char *text; /* NUL-terminated, of @size bytes; the caller frees it */
	size_t size, room;
	bool classic;
	const struct family *family;
};

/* Starts @family: the samples up to the next call belong to it. */
void family_begin(struct openmetrics *o, const struct family *family);
void openmetrics_end(struct openmetrics *o);

/* Writes NAME="VALUE" for any @value, with a comma before it unless it is the @first. */
void label_put(FILE *f, bool first, const char *name, const char *value);

/* Add one sample. @labels and @more are labels as label_put() writes them, or "". */
void sample_count(struct openmetrics *o, const char *labels, const char *more, unsigned __int128 n);
void sample_seconds(struct openmetrics *o, const char *labels, const char *more,
		    unsigned __int128 ns);

/* Adds a histogram of @n buckets and one without a limit, counts[n]. The upper limit of bucket i is
 * 2^(@first + i) ns. */
void sample_histogram(struct openmetrics *o, const char *labels, unsigned first,
		      const uint64_t *counts, unsigned n, unsigned __int128 sum_ns);

#endif
