// SPDX-License-Identifier: GPL-2.0-or-later
/* The conclusion from all sets, and the ways to read regions side by side. */
#include "bench/sets/sets.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/out.h"

/* Adds @more to *@text, with @between before it unless *@text is empty. */
static void append(char **text, const char *between, const char *more)
{
	char *before = *text;

	*text = need_text("%s%s%s", before, *before ? between : "", more);
	free(before);
}

/* Returns the sets in which @m misleads, such as "2, 4". A set of several targets is named once. The caller frees the text. Sets *@all to
 * true if @m follows the time in all sets. */
static char *misleading_sets(const struct sets *s, enum sets_metric m, bool *all)
{
	enum sets_kind last = SETS_KINDS;
	char *text = need_text("%s", "");

	*all = true;
	for (unsigned i = 0; i < s->n; i++) {
		double cc = sets_correlation(&s->list[i], m).pearson;

		*all &= cc > 0;
		if (!(cc <= 0) || s->list[i].kind == last)
			continue;
		last = s->list[i].kind;
		append(&text, ", ", sets_names[last]);
	}
	return text;
}

char *sets_summary(const struct sets *s)
{
	char *right = need_text("%s", ""), *wrong = need_text("%s", ""), *text;
	unsigned n = 0;

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		bool all;
		char *where = misleading_sets(s, m, &all);
		char *entry = need_text("%s (%s)", sets_metrics[m].title, where);

		n += all;
		if (all)
			append(&right, ", ", sets_metrics[m].title);
		else if (*where)
			append(&wrong, ", ", entry);
		free(entry);
		free(where);
	}
	text = need_text("%s %s in all %u sets%s%s", n ? right : "no metric",
			 n == 1	   ? "is the only metric that follows the time" :
				 n ? "follow the time" :
				     "follows the time",
			 s->n, *wrong ? "; mislead in some sets: " : "", wrong);
	free(right);
	free(wrong);
	return text;
}

/* Compares the ways to read for one size of the holes, which is the case @k. @e has the sets of all
 * ways. */
static struct out *ways_json(const struct sets_experiment *e, unsigned k)
{
	struct out *o = out_object(), *ways = out_object();
	const char *fastest = NULL;
	double least = NAN;

	out_str(o, "target", e->files[0]);
	out_u64(o, "process_count", e->cases[k].procs);
	out_u64(o, "spacing_bytes", e->cases[k].regions.spacing);
	for (enum sets_way way = 0; way < SETS_WAYS; way++) {
		double ns = sets_spread(&e[way].cases[k], SETS_TIME).mean;
		struct out *of = out_object();

		out_f64(of, "elapsed_ns", ns);
		out_f64(of, "bps", sets_spread(&e[way].cases[k], SETS_BPS_APP).mean);
		out_put(ways, sets_ways[way], of);
		if (!isnan(ns) && !(ns >= least)) {
			least = ns;
			fastest = sets_ways[way];
		}
	}
	out_put(o, "ways", ways);
	out_str(o, "fastest", fastest);
	return o;
}

struct out *sets_sieving_json(const struct sets *s)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < s->n; i++) {
		if (s->list[i].kind != SETS_SIEVING)
			continue;
		for (unsigned k = 0; k < s->list[i].cases_n; k++)
			out_append(list, ways_json(&s->list[i], k));
		i += SETS_WAYS - 1;
	}
	return list;
}
