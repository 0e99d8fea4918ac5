// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/openmetrics.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"

#define NS_PER_S 1000000000ULL
#define NS_DIGITS 9
#define GROW (1 << 16)

const char openmetrics_type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const char openmetrics_classic_type[] = "text/plain; version=0.0.4; charset=utf-8";

static const char *const kinds[] = { "counter", "gauge", "histogram", "info" };
static const char *const suffixes[] = { "_total", "", "", "_info" };

/* ---- text ---- */

/* There are 100,000 samples, of some parts each: printf(3) takes too long. */
static void put_bytes(struct openmetrics *o, const char *bytes, size_t n)
{
	if (o->size + n > o->room) {
		o->room = o->room * 2 + n + GROW;
		o->text = need(realloc(o->text, o->room));
	}
	memcpy(o->text + o->size, bytes, n);
	o->size += n;
}

static void put(struct openmetrics *o, const char *text)
{
	put_bytes(o, text, strlen(text));
}

/* With so many @digits at least. */
static void put_number(struct openmetrics *o, uint64_t n, int digits)
{
	char text[24], *begin = text + sizeof(text);

	for (; n || digits > 0; digits--, n /= 10)
		*--begin = '0' + n % 10;
	put_bytes(o, begin, text + sizeof(text) - begin);
}

/* 128 bits take longer to divide, and few numbers need them. */
static void put_whole(struct openmetrics *o, unsigned __int128 n)
{
	char text[NUM_TEXT];

	if (n <= UINT64_MAX)
		put_number(o, n, 1);
	else
		put(o, num_whole_text(text, n));
}

static void put_seconds(struct openmetrics *o, unsigned __int128 ns)
{
	put_whole(o, ns / NS_PER_S);
	put(o, ".");
	put_number(o, ns % NS_PER_S, NS_DIGITS);
}

static void put_line(struct openmetrics *o, const char *what, const char *suffix, const char *text)
{
	put(o, what);
	put(o, o->family->name);
	put(o, suffix);
	put(o, " ");
	put(o, text);
	put(o, "\n");
}

/* ---- families and labels ---- */

void family_begin(struct openmetrics *o, const struct family *family)
{
	/* there a family is called as its samples are, and has no kind "info" */
	const char *suffix = o->classic ? suffixes[family->kind] : "";
	const char *kind = o->classic && family->kind == FAMILY_INFO ? "gauge" :
								       kinds[family->kind];

	o->family = family;
	put_line(o, "# TYPE ", suffix, kind);
	if (family->unit && !o->classic)
		put_line(o, "# UNIT ", "", family->unit);
	put_line(o, "# HELP ", suffix, family->help);
}

void openmetrics_end(struct openmetrics *o)
{
	if (!o->classic)
		put(o, "# EOF\n");
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

/* ---- samples ---- */

/* All of a sample but its value; of @labels and @more, either may be "". */
static void begin_sample(struct openmetrics *o, const char *suffix, const char *labels,
			 const char *more)
{
	put(o, o->family->name);
	put(o, suffix);
	if (*labels || *more) {
		put(o, "{");
		put(o, labels);
		put(o, *labels && *more ? "," : "");
		put(o, more);
		put(o, "}");
	}
	put(o, " ");
}

static void put_count(struct openmetrics *o, unsigned __int128 n)
{
	put_whole(o, n);
	put(o, "\n");
}

static void put_time(struct openmetrics *o, unsigned __int128 ns)
{
	put_seconds(o, ns);
	put(o, "\n");
}

void sample_count(struct openmetrics *o, const char *labels, const char *more, unsigned __int128 n)
{
	begin_sample(o, suffixes[o->family->kind], labels, more);
	put_count(o, n);
}

void sample_seconds(struct openmetrics *o, const char *labels, const char *more,
		    unsigned __int128 ns)
{
	begin_sample(o, suffixes[o->family->kind], labels, more);
	put_time(o, ns);
}

static void put_bucket(struct openmetrics *o, const char *labels, unsigned log2, uint64_t n)
{
	put(o, o->family->name);
	put(o, "_bucket{");
	put(o, labels);
	put(o, ",le=\"");
	if (log2)
		put_seconds(o, 1ULL << log2);
	else
		put(o, "+Inf");
	put(o, "\"} ");
	put_count(o, n);
}

void sample_histogram(struct openmetrics *o, const char *labels, unsigned first,
		      const uint64_t *counts, unsigned n, unsigned __int128 sum_ns)
{
	uint64_t so_far = 0;

	for (unsigned i = 0; i <= n; i++) {
		so_far += counts[i];
		put_bucket(o, labels, i < n ? first + i : 0, so_far);
	}
	begin_sample(o, "_count", labels, "");
	put_count(o, so_far);
	begin_sample(o, "_sum", labels, "");
	put_time(o, sum_ns);
}
