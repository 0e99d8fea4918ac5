// SPDX-License-Identifier: GPL-2.0-or-later
/* The conclusion from all sets. A set is an experiment with cases that differ in one parameter. A
 * metric misleads in a set if it does not correlate with the execution time as expected. */
#include "bench/sets/sets-summary.h"

#include <stdlib.h>

#include "bench/sets/sets-metric.h"
#include "user/base/need.h"

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
			 n == 1 ? "is the only metric that follows the time" :
			 n	? "follow the time" :
				  "follows the time",
			 s->n, *wrong ? "; mislead in some sets: " : "", wrong);
	free(right);
	free(wrong);
	return text;
}
