// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes metric families. A family is a metric with all its samples. A sample is a line with labels
 * and a value. */
#include "user/exporter/openmetrics.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/exporter/groups.h"

#define NS_PER_S 1000000000ULL
#define NS_DIGITS 9
#define GROW (1 << 16)

const char openmetrics_type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const char openmetrics_classic_type[] = "text/plain; version=0.0.4; charset=utf-8";

static const char *const kinds[] = { "counter", "gauge", "histogram", "info" };
static const char *const suffixes[] = { "_total", "", "", "_info" };

/* Appends @n bytes to the document. Samples are appended in pieces by this function, because
 * printf(3) is too slow for 100,000 samples. */
static void put_bytes(struct openmetrics *o, const char *bytes, size_t n)
{
	if (o->size + n > o->room) {
		o->room = o->room * 2 + n + GROW;
		o->text = need(realloc(o->text, o->room));
	}
	memcpy(o->text + o->size, bytes, n);
	o->size += n;
}

static void append_text(struct openmetrics *o, const char *text)
{
	put_bytes(o, text, strlen(text));
}

/* Appends the number @n with leading zeros, so that it has at least @digits digits. */
static void put_number(struct openmetrics *o, uint64_t n, int digits)
{
	char text[24], *start = text + sizeof(text);

	for (; n || digits > 0; digits--, n /= 10)
		*--start = '0' + n % 10;
	put_bytes(o, start, text + sizeof(text) - start);
}

/* Appends the number @n. Avoids the slow division of 128-bit numbers if @n is below 2^64. */
static void put_whole(struct openmetrics *o, unsigned __int128 n)
{
	char text[NUM_TEXT];

	if (n <= UINT64_MAX)
		put_number(o, n, 1);
	else
		append_text(o, num_whole_text(text, n));
}

static void put_seconds(struct openmetrics *o, unsigned __int128 ns)
{
	put_whole(o, ns / NS_PER_S);
	append_text(o, ".");
	put_number(o, ns % NS_PER_S, NS_DIGITS);
}

static void put_comment(struct openmetrics *o, const char *what, const char *suffix,
			const char *text)
{
	append_text(o, what);
	append_text(o, o->family->name);
	append_text(o, suffix);
	append_text(o, " ");
	append_text(o, text);
	append_text(o, "\n");
}

void family_begin(struct openmetrics *o, const struct family *family)
{
	/* In the classic format, the name of a family ends with the suffix of its samples, such as
	 * _total. This format has no kind "info". */
	const char *suffix = o->classic ? suffixes[family->kind] : "";
	const char *kind = o->classic && family->kind == FAMILY_INFO ? "gauge" :
								       kinds[family->kind];

	o->family = family;
	put_comment(o, "# TYPE ", suffix, kind);
	if (family->unit && !o->classic)
		put_comment(o, "# UNIT ", "", family->unit);
	put_comment(o, "# HELP ", suffix, family->help);
}

void openmetrics_end(struct openmetrics *o)
{
	if (!o->classic)
		append_text(o, "# EOF\n");
	put_bytes(o, "", 1);
	o->size--;
}

void label_put(FILE *f, bool first, const char *name, const char *value)
{
	char *text = out_utf8(value);

	fprintf(f, "%s%s=\"", first ? "" : ",", name);
	for (const char *c = text; *c; c++) {
		if (*c == '\n')
			fputs("\\n", f);
		else
			fprintf(f, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
	}
	fputc('"', f);
	free(text);
}

/* Writes the start of a sample, up to the blank before the value. @labels and @more are labels as
 * label_put() writes them, or "". */
static void begin_sample(struct openmetrics *o, const char *suffix, const char *labels,
			 const char *more)
{
	append_text(o, o->family->name);
	append_text(o, suffix);
	if (*labels || *more) {
		append_text(o, "{");
		append_text(o, labels);
		append_text(o, *labels && *more ? "," : "");
		append_text(o, more);
		append_text(o, "}");
	}
	append_text(o, " ");
}

static void end_with_count(struct openmetrics *o, unsigned __int128 n)
{
	put_whole(o, n);
	append_text(o, "\n");
}

static void end_with_seconds(struct openmetrics *o, unsigned __int128 ns)
{
	put_seconds(o, ns);
	append_text(o, "\n");
}

void sample_count(struct openmetrics *o, const char *labels, const char *more, unsigned __int128 n)
{
	begin_sample(o, suffixes[o->family->kind], labels, more);
	end_with_count(o, n);
}

void sample_seconds(struct openmetrics *o, const char *labels, const char *more,
		    unsigned __int128 ns)
{
	begin_sample(o, suffixes[o->family->kind], labels, more);
	end_with_seconds(o, ns);
}

void sample_ratio(struct openmetrics *o, const char *labels, double ratio)
{
	char text[NUM_TEXT];

	begin_sample(o, suffixes[o->family->kind], labels, "");
	append_text(o, num_exact_text(text, ratio));
	append_text(o, "\n");
}

static void put_bucket(struct openmetrics *o, const char *labels, unsigned log2, uint64_t n)
{
	append_text(o, o->family->name);
	append_text(o, "_bucket{");
	append_text(o, labels);
	append_text(o, ",le=\"");
	if (log2)
		put_seconds(o, 1ULL << log2);
	else
		append_text(o, "+Inf");
	append_text(o, "\"} ");
	end_with_count(o, n);
}

void sample_histogram(struct openmetrics *o, const char *labels, const struct exported_sum *sum)
{
	uint64_t total = 0;

	for (unsigned i = 0; i <= BORDERS; i++) {
		total += sum->hist[i];
		put_bucket(o, labels, i < BORDERS ? BORDER_FIRST + i : 0, total);
	}
	begin_sample(o, "_count", labels, "");
	end_with_count(o, total);
	begin_sample(o, "_sum", labels, "");
	end_with_seconds(o, sum->counts.latency_sum_ns);
}
