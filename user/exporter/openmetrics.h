/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes OpenMetrics 1.0, or Prometheus's older text format 0.0.4, called "classic" here:
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

/* values of the header Content-Type */
extern const char openmetrics_type[], openmetrics_classic_type[];

enum family_kind { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_HISTOGRAM, FAMILY_INFO };

struct family {
	enum family_kind kind;
	/* name of the metric; it ends with the unit, but lacks the suffixes _total and _info */
	const char *name;
	const char *unit;
	const char *help;
};

struct openmetrics {
	char *text; /* the document, NUL-terminated, of .size bytes; the caller frees it */
	size_t size, room;
	bool classic;
	const struct family *family;
};

/* Starts the metric family @family. All samples until the next call belong to it. */
void family_begin(struct openmetrics *o, const struct family *family);
void openmetrics_end(struct openmetrics *o);

/* Writes a label as NAME="VALUE", with @value escaped. Writes a comma before it, unless @first is
 * true. */
void label_put(FILE *f, bool first, const char *name, const char *value);

/* Add a sample to the current family. @labels and @more come from label_put(), or are "". */
void sample_count(struct openmetrics *o, const char *labels, const char *more, unsigned __int128 n);
void sample_seconds(struct openmetrics *o, const char *labels, const char *more,
		    unsigned __int128 ns);

/* Adds a sample with the value @ratio to the current family. */
void sample_ratio(struct openmetrics *o, const char *labels, double ratio);

struct exported_sum;
void sample_histogram(struct openmetrics *o, const char *labels, const struct exported_sum *sum);

#endif
