// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of a JSON document as text. A place is a member of the document. The kind of a value,
 * such as bytes or a time, decides how it is shown. By default, the kind follows from a unit at
 * the end of a key, such as "_ns" in "elapsed_ns". */
#include "user/result/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/metric/metric.h"

/* If @word ends with a unit, such as "_ns", sets *@kind to the kind of this unit, such as
 * VIEW_TIME. @n is the length of @word. Returns the length of the part of @word that people read:
 * 7 for "elapsed_ns" ("elapsed"), but 18 for "memory_limit_bytes". */
static size_t without_unit(const char *word, size_t n, enum view_kind *kind)
{
	static const struct {
		const char *unit;
		enum view_kind kind;
		bool stays; /* true: value_name() keeps the unit, as in "memory limit bytes" */
	} units[] = {
		{ "_bytes_per_second", VIEW_BYTE_RATE, false },
		{ "_per_second", VIEW_RATE, false },
		{ "bytes", VIEW_BYTES, true },
		{ "_ns", VIEW_TIME, false },
		{ "_fraction", VIEW_PER_CENT, false },
		{ "_count", VIEW_COUNT, true },
		{ "iops", VIEW_RATE, true },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t length = strlen(units[i].unit);

		if (n < length || memcmp(word + n - length, units[i].unit, length))
			continue;
		*kind = units[i].kind;
		return units[i].stays ? n : n - length;
	}
	if (!strncmp(word, "bps", 3))
		*kind = VIEW_RATE;
	return n;
}

static const char *last_word(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path + strspn(path, "^");
}

/* Returns the kind of the value at @path by its unit, such as "_ns" for a time. Looks for a unit at
 * the end of the last word of the path. Then tries the words before it, and the names of the
 * enclosing members. Returns VIEW_BY_UNIT if there is no unit. */
static enum view_kind kind_of(const struct place *at, const char *path)
{
	enum view_kind kind = VIEW_BY_UNIT;
	const char *end = path + strlen(path), *dot;

	do {
		dot = memrchr(path, '.', end - path);
		without_unit(dot ? dot + 1 : path, end - (dot ? dot + 1 : path), &kind);
		end = dot;
	} while (dot && kind == VIEW_BY_UNIT);
	for (; at && kind == VIEW_BY_UNIT; at = at->above)
		if (at->name)
			without_unit(at->name, strlen(at->name), &kind);
	return kind;
}

static enum view_kind kind_of_unit(const struct out *unit)
{
	char *word = need_text("_%s", out_text(unit) ?: "");
	enum view_kind kind = VIEW_BY_UNIT;

	without_unit(word, strlen(word), &kind);
	free(word);
	return kind;
}

char *value_name(const char *key)
{
	enum view_kind kind;
	char *name;

	for (const struct metric *m = metrics; m->key; m++)
		if (!strcmp(m->key, key))
			return need(strdup(m->title));
	name = need(strndup(key, without_unit(key, strlen(key), &kind)));
	for (char *c = name; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	if (!strncmp(name, "bps ", 4))
		memcpy(name, "BPS", 3);
	return name;
}

#define BAR "****************************************"

/* The length of the bar is rounded up, so that a single access is visible. */
static char *bar(double fraction)
{
	int n = ceil(fraction * strlen(BAR) - 1e-9), most = strlen(BAR);

	return need_text("|%.*s%*s|", n, BAR, most - n, "");
}

static char *number_for_people(enum view_kind kind, double v)
{
	static const enum metric_kind kinds[] = {
		[VIEW_COUNT] = METRIC_COUNT,	     [VIEW_BYTES] = METRIC_BYTES,
		[VIEW_TIME] = METRIC_TIME,	     [VIEW_RATE] = METRIC_RATE,
		[VIEW_BYTE_RATE] = METRIC_BYTE_RATE, [VIEW_FRACTION] = METRIC_RATIO,
	};
	char buf[NUM_TEXT];

	if (kind == VIEW_RATIO || kind == VIEW_BY_UNIT || kind == VIEW_NAME)
		return need(strdup(num_ratio_text(buf, v)));

	if (kind == VIEW_DIGITS)
		return need(strdup(num_exact_text(buf, v)));
	if (kind == VIEW_PER_CENT)
		return isnan(v) ? need_text("-") : need_text("%.1f %%", v * 100);
	if (kind == VIEW_COEFFICIENT) /* the sum with 0 turns a rounded -0 into 0 */
		return isnan(v) ? need_text("-") : need_text("%.3f", round(v * 1000) / 1000 + 0.0);
	if (kind == VIEW_BAR)
		return bar(v);
	return need(strdup(metric_kind_text(buf, kinds[kind], v)));
}

static bool is_above_0(const struct place *at, const char *path)
{
	const char *name;
	double v;

	return path && out_f64_of(value_at(at, path, &name), &v) && v > 0;
}

/* Returns an asterisk if the document has the value true at path c->starred, else "". */
static const char *star(const struct place *at, const struct view_column *c)
{
	const char *name;

	return c->starred && out_is(value_at(at, c->starred, &name)) ? "*" : "";
}

/* Appends the deviation of the value @v to @text, such as "+-1.2 %". If there is no deviation, puts
 * the marks for an estimated or incomplete value before @text. Returns the new text, and frees
 * @text. */
static char *with_error(const struct place *at, const struct view_column *c, double v, char *text)
{
	const char *name;
	char *longer;
	double error;

	if (c->deviation && v > 0 && out_f64_of(value_at(at, c->deviation, &name), &error))
		longer = need_text("%s +-%.1f %%", text, error / v * 100);
	else
		longer = need_text("%s%s%s%s", is_above_0(at, c->missing) ? METRIC_SHORT : "",
				   is_above_0(at, c->estimated) ? METRIC_ESTIMATED : "", text,
				   star(at, c));
	free(text);
	return longer;
}

static char *plain_text(const struct out *node, const struct view_column *c)
{
	static const struct metric time = { .kind = METRIC_TIME };
	const struct metric *m = &time;
	char buf[NUM_TEXT];
	double v = NAN;

	if (c->kind == VIEW_PLAIN)
		m = metric_named(last_word(c->path));
	out_f64_of(node, &v);
	return need(strdup(metric_plain_text(buf, m, v)));
}

static void append_listed(void *text, const char *key, const struct out *element)
{
	char **all = text, *before = *all;

	if (!out_text(element))
		return;
	*all = need_text("%s%s%s", before ?: "", before ? ", " : "", out_text(element));
	free(before);
}

/* Returns the texts in the array @node, such as "size, depth". Returns NULL if there are none. */
static char *listed(const struct out *node)
{
	char *all = NULL;

	out_each(node, append_listed, &all);
	return all;
}

char *value_text(const struct place *at, const struct view_column *c)
{
	enum view_kind kind = c->kind;
	const char *name, *other;
	const struct out *node = value_at(at, c->path, &name);
	char *list = node ? listed(node) : NULL;
	double v = NAN;
	uint64_t whole;

	name = name ?: out_text(node);
	if (name)
		return kind == VIEW_NAME ? value_name(name) : need_text("%s%s", name, star(at, c));
	if (list || !node)
		return list ?: need(strdup(c->none ?: "-"));
	if (out_is_bool(node))
		return need(strdup(out_is(node) ? c->mark ?: "yes" : c->off ?: ""));
	if (kind == VIEW_PLAIN || kind == VIEW_PLAIN_TIME)
		return with_error(at, c, v, plain_text(node, c));
	if (c->unit_of)
		kind = kind_of_unit(value_at(at, c->unit_of, &other));
	if (kind == VIEW_BY_UNIT)
		kind = kind_of(at, c->path);
	if (kind == VIEW_BY_UNIT && out_u64_of(node, &whole))
		kind = VIEW_COUNT;
	out_f64_of(node, &v);
	return with_error(at, c, v, number_for_people(kind, v));
}

struct filled {
	char *text;
	size_t size;
};

static void append(struct filled *to, const char *text, size_t n)
{
	to->text = need(realloc(to->text, to->size + n + 1));
	memcpy(to->text + to->size, text, n);
	to->size += n;
	to->text[to->size] = '\0';
}

/* Appends the value at the first of @paths that has a value. @paths are separated by '|'. */
static void append_value(struct filled *to, const struct place *at, const char *paths, size_t n)
{
	char all[n + 1], *rest = all, *path, *value = NULL;

	memcpy(all, paths, n);
	all[n] = '\0';
	while ((!value || !*value) && (path = strsep(&rest, "|"))) {
		free(value);
		value = value_text(at, &(struct view_column){ path, .none = "", .mark = "*" });
	}
	append(to, value, strlen(value));
	free(value);
}

char *value_fill(const struct place *at, const char *text)
{
	struct filled filled = {};

	while (true) {
		size_t n = strcspn(text, "{"), inside = text[n] ? strcspn(text + n + 1, "}") : 0;

		append(&filled, text, n);
		if (!text[n])
			return filled.text;
		append_value(&filled, at, text + n + 1, inside);
		text += n + inside + 2;
	}
}

char *value_exact(const struct place *at, const struct view_column *c)
{
	const char *name;
	const struct out *node = value_at(at, c->path, &name);

	return name ? need(strdup(name)) : out_plain(node);
}

const char *value_csv_title(const struct view_column *c)
{
	if (*c->path == '=' || strchr(c->path, '@'))
		return c->title && *c->title ? c->title : "name";
	return c->path + strspn(c->path, "^");
}

const char *value_help(const struct view_column *c)
{
	return metric_named(last_word(c->path))->help;
}

char *value_title(const struct view_column *c)
{
	const struct metric *m;

	if (c->title)
		return need(strdup(c->title));
	if (c->kind != VIEW_PLAIN)
		return value_name(last_word(c->path));
	m = metric_named(last_word(c->path));
	return need_text(*metric_unit(m) ? "%s(%s)" : "%s", m->title, metric_unit(m));
}
