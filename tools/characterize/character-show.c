// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"
#include "tools/characterize/character.h"
#include "tools/characterize/character-show.h"
#include "tools/characterize/criteria.h"
#include "user/base/table.h"

#define COMMON 4 /* number of most common sizes and strides that JSON shows */
#define TEXT_SERVERS 20

const char *const direction_names[DIRECTIONS] = { "read", "write", "both" };

char *criterion_title(const struct character *c, const struct criterion *what, u32 threshold)
{
	char buf[NUM_TEXT];

	if (!what->by_threshold)
		return need(strdup(what->title));
	return need_text("%s, c = %s", what->title, num_size_arg(buf, c->thresholds[threshold]));
}

/* ---- text ---- */

static void criterion_text(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	char *title = criterion_title(c, what, t), buf[NUM_TEXT];

	table_cell(to, "%s", what->number);
	table_cell(to, "%s", title);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (what->word)
			table_cell(to, "%s", what->word(c, d) ?: "-");
		else
			table_cell(to, "%s",
				   metric_kind_text(buf, what->kind, what->value(c, d, t)));
	}
	table_end_row(to);
	free(title);
}

static void print_section(FILE *f, struct table *t)
{
	fputc('\n', f);
	table_text(f, t, "  ");
	table_free(t);
}

static void sizes_text(FILE *f, const struct requests *r)
{
	static const char *const titles[] = { "size, at least", "read", "write", NULL };
	struct table *t = table_titled(0, titles);
	char buf[NUM_TEXT];

	for (u32 i = 0; i < SIZES_CLASSES; i++) {
		if (!r->sizes[DIR_BOTH].classes[i])
			continue;
		table_cell(t, "%s", num_bytes_text(buf, sizes_class_floor(i)));
		for (int d = 0; d < DIR_BOTH; d++)
			table_cell(t, "%s", num_count_text(buf, r->sizes[d].classes[i]));
		table_end_row(t);
	}
	print_section(f, t);
}

static void servers_text(FILE *f, const struct counters *c)
{
	static const char *const titles[] = { "server",	       "bytes read", "reads",
					      "bytes written", "writes",     NULL };
	struct table *t = table_titled(1, titles);
	char buf[NUM_TEXT];

	for (u32 i = 0; i < c->servers_n && i < TEXT_SERVERS; i++) {
		struct moved cell = counters_of_server(c, i);

		table_cell(t, "%s", c->servers[i].name);
		for (int d = 0; d < DIR_BOTH; d++) {
			table_cell(t, "%s", num_bytes_text(buf, moved_bytes(&cell, d)));
			table_cell(t, "%s", num_count_text(buf, moved_operations(&cell, d)));
		}
		table_end_row(t);
	}
	print_section(f, t);
	if (c->servers_n > TEXT_SERVERS)
		fprintf(f, "  and %u more server%s\n", c->servers_n - TEXT_SERVERS,
			num_word(c->servers_n - TEXT_SERVERS, "", "s"));
}

void character_text(FILE *f, const struct character *c)
{
	struct table *t = table_new(2);
	char buf[NUM_TEXT];

	table_cell(t, "%s", "");
	table_cell(t, "%s, %u interval%s of %s", c->layer, c->counters.n,
		   num_word(c->counters.n, "", "s"), num_time_arg(buf, c->counters.interval_ns));
	for (int d = 0; d < DIRECTIONS; d++)
		table_cell(t, "%s", direction_names[d]);
	table_end_row(t);
	criteria_each(c, t, criterion_text);
	print_section(f, t);
	if (c->requests)
		sizes_text(f, c->requests);
	servers_text(f, &c->counters);
}

static bool has_whole(const struct character *c, const struct criterion *what, enum direction d)
{
	return what->whole && !isnan(what->value(c, d, 0));
}

/* ---- CSV ---- */

static void criterion_csv(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	char buf[NUM_TEXT];

	table_cell(to, "%s", c->layer);
	table_cell(to, "%s", what->number);
	table_cell(to, "%s", what->key);
	if (what->by_threshold)
		table_cell(to, "%llu", (unsigned long long)c->thresholds[t]);
	else
		table_cell(to, "%s", "");
	for (int d = 0; d < DIRECTIONS; d++)
		table_cell(to, "%s",
			   what->word ? what->word(c, d) ?: "" :
				   has_whole(c, what, d) ?
					num_whole_text(buf, what->whole(c, d)) :
					num_exact_text(buf, what->value(c, d, t)));
	table_end_row(to);
}

struct table *character_csv_titles(const char *first)
{
	const char *const titles[] = { first,  "criterion", "key",  "threshold_bytes",
				       "read", "write",	    "both", NULL };

	return table_titled(4, titles);
}

void character_csv(struct table *t, const struct character *c)
{
	criteria_each(c, t, criterion_csv);
}

/* ---- JSON ---- */

static bool fits_u64(enum metric_kind kind, double v)
{
	return (kind == METRIC_COUNT || kind == METRIC_BYTES || kind == METRIC_TIME) && v >= 0 &&
		v < 0x1p64 && v == trunc(v);
}

static void criterion_json(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct out *o = out_object();

	out_str(o, "criterion", what->number);
	out_str(o, "key", what->key);
	if (what->by_threshold)
		out_u64(o, "threshold_bytes", c->thresholds[t]);
	else
		out_null(o, "threshold_bytes");
	for (int d = 0; d < DIRECTIONS; d++) {
		double v = what->word ? NAN : what->value(c, d, t);

		if (what->word)
			out_str(o, direction_names[d], what->word(c, d));
		else if (has_whole(c, what, d))
			out_u128(o, direction_names[d], what->whole(c, d));
		else if (fits_u64(what->kind, v))
			out_u64(o, direction_names[d], v);
		else
			out_f64(o, direction_names[d], v);
	}
	out_append(to, o);
}

static struct out *pair_json(const char *key, struct out *list, u64 value, u64 requests)
{
	struct out *o = out_object();

	out_u64(o, key, value);
	out_u64(o, "requests", requests);
	out_append(list, o);
	return list;
}

static struct out *classes_json(const struct requests *r, enum direction d)
{
	struct out *list = out_array();

	for (u32 i = 0; i < SIZES_CLASSES; i++)
		if (r->sizes[d].classes[i])
			pair_json("from_bytes", list, sizes_class_floor(i), r->sizes[d].classes[i]);
	return list;
}

static struct out *common_json(const struct requests *r, enum direction d)
{
	struct out *list = out_array();
	struct counted top[COMMON];
	u32 n = census_top(&r->sizes[d].census, top, COMMON);

	for (u32 i = 0; i < n; i++)
		pair_json("bytes", list, top[i].value, top[i].count);
	return list;
}

/* Lists the most common strides. The stride of steps to lower offsets is negative. */
static struct out *strides_json(const struct requests *r, enum direction d)
{
	struct out *list = out_array();
	struct counted top[COMMON];
	u32 n = census_top(&r->steps.strides[d], top, COMMON);

	for (u32 i = 0; i < n; i++) {
		struct out *o = out_object();

		out_f64(o, "bytes", (s64)top[i].value);
		out_u64(o, "requests", top[i].count);
		out_append(list, o);
	}
	return list;
}

static struct out *by_direction(const struct requests *r,
				struct out *(*list)(const struct requests *r, enum direction d))
{
	struct out *o;

	if (!r)
		return NULL;
	o = out_object();
	for (int d = 0; d < DIR_BOTH; d++)
		out_put(o, direction_names[d], list(r, d));
	return o;
}

static struct out *operations_json(const struct requests *r)
{
	struct out *o = out_object();

	for (int i = 0; i < DIR_BOTH; i++)
		out_u64(o, direction_names[i], r->sizes[i].requests);
	for (int i = OP_WRITE + 1; i < OP_MAX; i++)
		if (r->others[i])
			out_u64(o, op_names[i], r->others[i]);
	return o;
}

static struct out *servers_json(const struct counters *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->servers_n; i++) {
		struct moved cell = counters_of_server(c, i);
		struct out *o = out_object();

		out_str(o, "server", c->servers[i].name);
		for (int k = 0; k < COUNTERS; k++) {
			if (c->has >> k & 1)
				out_u128(o, counter_names[k], cell.of[k]);
			else
				out_null(o, counter_names[k]);
		}
		out_append(list, o);
	}
	return list;
}

struct out *character_criteria_json(const struct character *c)
{
	struct out *list = out_array();

	criteria_each(c, list, criterion_json);
	return list;
}

struct out *character_json(const struct character *c)
{
	struct out *o = out_object();

	out_u64(o, "intervals", c->counters.n);
	out_put(o, "criteria", character_criteria_json(c));
	out_put(o, "sizes", by_direction(c->requests, classes_json));
	out_put(o, "common_sizes", by_direction(c->requests, common_json));
	out_put(o, "strides", by_direction(c->requests, strides_json));
	out_put(o, "operations", c->requests ? operations_json(c->requests) : NULL);
	out_put(o, "servers", servers_json(&c->counters));
	return o;
}
