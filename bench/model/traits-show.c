// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the conclusions from the curves of a region as sentences, such as "larger requests are
 * faster". */
#include "bench/model/traits-show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "bench/model/predict-show.h"

#define PHRASE 128
/* A sentence omits a time if half its confidence interval exceeds this fraction of the time. */
#define SURE 0.25
/* A sentence omits the time per byte if it matters little: if the bytes of the largest request take
 * at most this fraction of the fixed time of a request. */
#define SLIGHT 0.2

static const char *const difference_words[] = { NULL, "less", "alike", "more" };
static const char *const character_words[] = { NULL, "no disk", "head", "single", "parallel" };

/* For each parameter, the words that describe its effect in a sentence. */
static const struct {
	/* sentences about the effect on the bandwidth, indexed by enum difference */
	const char *differences[4];
	/* words that precede a value in a sentence, such as "requests of"; NULL: none */
	const char *value;
	/* for fractions: words for the values 0 and 1, such as "writes" and "reads" */
	const char *none, *all;
	const char *one, *many; /* words after the value 1, and after other values; NULL: none */
} words[PARAMETERS] = {
	[PARAM_UNIQUE_BYTES] = {
		{ NULL, "within the region, more data lower the bandwidth",
		  "within the region, more data hardly matter",
		  "within the region, more data raise the bandwidth" }, "data of",
	},
	[PARAM_SIZE] = {
		{ NULL, "larger requests lower the bandwidth", "the request size hardly matters",
		  "larger requests raise the bandwidth" }, "requests of",
	},
	[PARAM_READ] = {
		{ NULL, "writes are faster", "reads and writes are about as fast", "reads are faster" },
		NULL, "writes", "reads",
	},
	[PARAM_SEQ] = {
		{ NULL, "random order is faster", "the order hardly matters",
		  "random order is slower" }, NULL, "random requests", "sequential requests",
	},
	[PARAM_PROCS] = {
		{ NULL, "more processes lower the bandwidth", "more processes hardly matter",
		  "more processes raise the bandwidth" },
		.one = "process", .many = "processes",
	},
	[PARAM_DEPTH] = {
		{ NULL, "more depth lowers the bandwidth", "more depth hardly matters",
		  "more depth raises the bandwidth" }, "depth",
	},
};

/* Writes a value and its confidence interval to @buf, such as "2.10 ms (2.00 to 2.20)". */
static const char *interval_phrase(char buf[PHRASE], const struct estimate *e,
				   const char *(*text)(char *buf, double v))
{
	char v[NUM_TEXT], low[NUM_TEXT], high[NUM_TEXT];

	snprintf(buf, PHRASE, "%s (%s to %s)", text(v, e->value), text(low, e->low),
		 text(high, e->high));
	return buf;
}

static const char *value_text(char buf[PHRASE], enum parameter p, const struct point *at)
{
	char value[NUM_TEXT];

	if (words[p].one) {
		snprintf(buf, PHRASE, "%s %s", parameter_text(value, p, at->at.v[p]),
			 num_word(at->at.v[p], words[p].one, words[p].many));
		return buf;
	}
	if (!words[p].value)
		return at->at.v[p] > 0 ? words[p].all : words[p].none;
	snprintf(buf, PHRASE, "%s %s", words[p].value, parameter_text(value, p, at->at.v[p]));
	return buf;
}

/* Returns a text such as "bandwidth with depth 64 is 7.80 times (7.40 to 8.20) that with depth 1,
 * 480 MiB/s instead of 61.5 MiB/s". The caller frees it. */
static char *compared(enum parameter p, const struct change *c)
{
	char from[PHRASE], to[PHRASE], a[NUM_TEXT], b[NUM_TEXT];
	char factor[NUM_TEXT], low[NUM_TEXT], high[NUM_TEXT];

	return need_text("bandwidth with %s is %s times (%s to %s) that with %s, %s instead of %s",
			 value_text(to, p, c->to), num_count_text(factor, c->factor.value),
			 num_count_text(low, c->factor.low), num_count_text(high, c->factor.high),
			 value_text(from, p, c->from),
			 num_byte_rate_text(a, c->to->value[QUANTITY_BANDWIDTH]),
			 num_byte_rate_text(b, c->from->value[QUANTITY_BANDWIDTH]));
}

static char *change_sentence(const struct traits *t, enum parameter p)
{
	const struct change *c = &t->changes[p];
	char *comparison, *all, tail[PHRASE] = "", below[NUM_TEXT], reached[NUM_TEXT];

	if (c->difference == DIFFERENCE_NONE)
		return NULL;
	if (c->reached)
		snprintf(tail, sizeof(tail), "; %.0f %% of that is reached between %s and %s",
			 traits_enough(p) * 100, parameter_text(below, p, c->below->at.v[p]),
			 parameter_text(reached, p, c->reached->at.v[p]));
	comparison = compared(p, c);
	all = need_text("%s: %s%s", words[p].differences[c->difference], comparison, tail);
	free(comparison);
	return all;
}

static char *head_sentence(const struct traits *t, const char *most)
{
	char time[PHRASE];

	if (isnan(t->seek_ns.value) || isnan(t->most.factor.high))
		return need_text("it performs like a disk that moves a head: a request takes %s "
				 "longer when processes take turns",
				 interval_phrase(time, &t->turn_ns, num_time_text));
	return need_text("it performs like a disk that moves a head: a request takes %s longer "
			 "when it is random, and concurrent requests raise the bandwidth by a "
			 "factor of at most %s",
			 interval_phrase(time, &t->seek_ns, num_time_text), most);
}

static char *character_sentence(const struct traits *t)
{
	char most[NUM_TEXT], *comparison, *all;

	num_count_text(most, t->most.factor.high);
	switch (t->character) {
	case CHARACTER_NO_DISK:
		return need_text("reads cause no I/O on a disk of this machine");
	case CHARACTER_HEAD:
		return head_sentence(t, most);
	case CHARACTER_SINGLE:
		return need_text(
			"it performs like a queue that takes one request after the other: "
			"concurrent requests raise the bandwidth by a factor of at most %s",
			most);
	case CHARACTER_PARALLEL:
		comparison = compared(t->most_along, &t->most);
		all = need_text("it takes many requests at once: %s", comparison);
		free(comparison);
		return all;
	case CHARACTER_NONE:
		break;
	}
	return NULL;
}

static bool is_sure(const struct estimate *e)
{
	return e->low > 0 && e->high - e->value <= SURE * e->value;
}

static char *cost_sentence(const struct cost *c)
{
	const struct estimate *request = &c->request_ns, *byte = &c->byte_ns;
	const struct estimate rate = { 1e9 / byte->value, 1e9 / byte->high, 1e9 / byte->low };
	char time[PHRASE], speed[PHRASE], each[PHRASE] = "";

	if (c->procs > 1)
		snprintf(each, sizeof(each), " for each of %.0f processes", c->procs);
	interval_phrase(time, request, num_time_text);
	interval_phrase(speed, &rate, num_byte_rate_text);
	if (is_sure(request) && byte->high * c->most_bytes <= SLIGHT * request->low)
		return need_text("a request takes %s, whatever its size", time);
	if (!is_sure(byte) || !(request->high > 0))
		return NULL;
	if (is_sure(request))
		return need_text("a request takes %s, plus the time of its bytes at %s%s", time,
				 speed, each);
	return need_text("a request takes the time of its bytes at %s%s, plus at most %s", speed,
			 each, num_time_text(time, request->high));
}

static void add_sentence(struct out *list, char *sentence)
{
	if (sentence)
		out_append_str(list, sentence);
	free(sentence);
}

static struct out *sentences_json(const struct traits *t)
{
	static const enum parameter order[] = {
		PARAM_SEQ, PARAM_READ, PARAM_PROCS, PARAM_DEPTH, PARAM_UNIQUE_BYTES, PARAM_SIZE,
	};
	struct out *list = out_array();

	add_sentence(list, character_sentence(t));
	for (int i = 0; i < PARAMETERS; i++)
		add_sentence(list, change_sentence(t, order[i]));
	add_sentence(list, cost_sentence(&t->cost));
	return list;
}

static struct out *estimate_or_null(const struct estimate *e)
{
	return isnan(e->value) ? NULL : estimate_json(e);
}

static struct out *change_json(const struct change *c, enum parameter p)
{
	struct out *o = out_object();

	out_str(o, "difference", difference_words[c->difference]);
	out_f64(o, "from", c->from->at.v[p]);
	out_f64(o, "to", c->to->at.v[p]);
	out_put(o, "bandwidth_factor", estimate_json(&c->factor));
	out_f64(o, "enough", c->enough);
	return o;
}

struct out *traits_json(const struct region *r)
{
	const struct traits traits = traits_of(r), *t = &traits;
	struct out *o = out_object(), *changes = out_object();

	out_str(o, "character", character_words[t->character]);
	for (enum parameter p = 0; p < PARAMETERS; p++)
		if (!isnan(t->changes[p].factor.value))
			out_put(changes, parameters[p].key, change_json(&t->changes[p], p));
	out_put(o, "changes", changes);
	out_put(o, "seek_ns", estimate_or_null(&t->seek_ns));
	out_put(o, "alternation_ns", estimate_or_null(&t->turn_ns));
	out_put(o, "request_ns", estimate_or_null(&t->cost.request_ns));
	out_put(o, "byte_ns", estimate_or_null(&t->cost.byte_ns));
	out_put(o, "sentences", sentences_json(t));
	return o;
}
