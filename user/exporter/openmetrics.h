/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that Prometheus reads: OpenMetrics 1.0, or the format before it, which is called
 * "classic" here.
 *
 * # TYPE iospan_bytes counter
 * # UNIT iospan_bytes bytes
 * # HELP iospan_bytes Bytes of accesses.
 * iospan_bytes_total{group="/a",op="read"} 4096
 * # EOF */
#ifndef IOSPAN_OPENMETRICS_H
#define IOSPAN_OPENMETRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

extern const char openmetrics_type[], openmetrics_classic_type[]; /* for Content-Type */

enum family_kind { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_HISTOGRAM, FAMILY_INFO };

/* All samples of a family stand together. */
struct family {
	enum family_kind kind;
	const char *name; /* ends in the unit, if there is one; without _total, _info */
	const char *unit;
	const char *help; /* a sentence */
};

struct openmetrics {
	char *text; /* of @size bytes, and a NUL at the end; the caller frees it */
	size_t size, room;
	bool classic;
	const struct family *family;
};

/* What follows are samples of @family, until the next one. */
void family_begin(struct openmetrics *o, const struct family *family);
void openmetrics_end(struct openmetrics *o);

/* NAME="VALUE", of any bytes; with a comma before it unless it is the @first. */
void label_put(FILE *f, bool first, const char *name, const char *value);

/* @labels as label_put() makes them, "": none; @more are further ones. */
void sample_count(struct openmetrics *o, const char *labels, const char *more, unsigned __int128 n);
void sample_seconds(struct openmetrics *o, const char *labels, const char *more,
		    unsigned __int128 ns);

/* The buckets' borders are powers of two of a nanosecond, from @first on; counts[n] is for what
 * is longer. @sum_ns is of all. */
void sample_histogram(struct openmetrics *o, const char *labels, unsigned first,
		      const uint64_t *counts, unsigned n, unsigned __int128 sum_ns);

#endif
