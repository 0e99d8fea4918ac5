// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/study.h"

#include <stdlib.h>

#include "tools/correlate/correlate-html.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/opt-given.h"
#include "user/base/words.h"
#include "user/stats/information.h"

#define MOST_GRANULARITY 1000000
#define MOST_PERMUTATIONS 1000000
#define MOST_POINTS 10000

int study_check_range(const char *option, uint64_t v, uint64_t least, uint64_t most)
{
	if (v >= least && v <= most)
		return 0;
	return error(-EUSAGE, "--%s is from %llu to %llu", option, (unsigned long long)least,
		     (unsigned long long)most);
}

static int check_ranges(const struct correlate_options *o)
{
	int ret = study_check_range("granularity", o->granularity, 0, MOST_GRANULARITY);

	ret = ret ?: study_check_range("permutations", o->how.permutations, 0, MOST_PERMUTATIONS);
	ret = ret ?: study_check_range("sample", o->how.sample, 10, UINT32_MAX);
	ret = ret ?: study_check_range("bins", o->how.bins, 0, INFORMATION_MOST_BINS);
	ret = ret ?: study_check_range("trees", o->trees, 1, MOST_PERMUTATIONS);
	return ret ?: study_check_range("points", o->points, 1, MOST_POINTS);
}

/* Parses @list, the argument of --at, and stores its amounts in @how. Returns 0 or -EUSAGE; prints
 * the error. */
static int parse_amounts(const char *list, struct correlate_options *how)
{
	double *at = NULL;
	unsigned n = 0;
	char *item;

	while ((item = words_item(&list))) {
		uint64_t v;

		if (num_size(item, &v) || n == MOST_POINTS) {
			int ret = error(-EUSAGE, "--at: '%s' is no amount such as 4096, 4k or 2GiB",
					item);

			free(item);
			free(at);
			return ret;
		}
		at = need(reallocarray(at, n + 1, sizeof(*at)));
		at[n++] = v;
		free(item);
	}
	how->at = at;
	how->points = n;
	return 0;
}

int study_check(struct study_opts *o)
{
	if (o->at && opt_given(&o->how.points))
		return opt_no_effect("points", "--at");
	return check_ranges(&o->how) ?: (o->at ? parse_amounts(o->at, &o->how) : 0);
}

int study_print(const struct study_opts *o, const struct correlation_study *c, struct out *doc,
		const char *title, const struct view *views, struct output *html)
{
	struct result result = {
		.title = title,
		.doc = doc,
		.views = views,
		.plots = correlate_plots_html,
		.arg = c,
	};
	int ret = result_print(&result, out_format(o->json, o->csv), html);

	out_free(doc);
	return ret;
}
