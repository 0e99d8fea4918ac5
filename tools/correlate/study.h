/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options and output that the commands `correlate` and `neighbours` share. A study (struct
 * correlation_study) has all results of the analysis. */
#ifndef IOSPAN_CORRELATE_STUDY_H
#define IOSPAN_CORRELATE_STUDY_H

#include "tools/correlate/correlate.h"
#include "user/base/opt-common.h"
#include "user/result/result.h"

struct study_opts {
	struct correlate_options how;
	const char *html, *at;
	bool json, csv;
};

#define STUDY_DEFAULTS \
	{ \
		.how = {.how = { .permutations = 499, .sample = 1000, .seed = 1 }, \
			.granularity = 20, \
			.trees = 500, \
			.points = 11, \
		} \
	}

#define STUDY_OPTS(o) \
	OPT_UINT(0, "granularity", &(o).how.granularity, "N", "merge up to N intervals; 1: none"), \
		OPT_UINT(0, "permutations", &(o).how.how.permutations, "N", \
			 "number of permutations for p; 0: no p"), \
		OPT_UINT(0, "sample", &(o).how.how.sample, "N", \
			 "largest number of jobs for expensive measures"), \
		OPT_UINT(0, "bins", &(o).how.how.bins, "N", \
			 "number of bins for the mutual information; 0: estimate it by " \
			 "neighbours"), \
		OPT_UINT(0, "trees", &(o).how.trees, "N", "number of trees of the random forest"), \
		OPT_UINT(0, "points", &(o).how.points, "N", "number of points of a curve"), \
		OPT_STR(0, "at", &(o).at, "AMOUNT,...", \
			"amounts at which to predict the I/O time, instead of --points"), \
		OPT_SEED(&(o).how.how.seed), OPT_HTML(&(o).html), OPT_JSON(&(o).json), \
		OPT_CSV(&(o).csv)

/* Checks that @v, the argument of the option @option, is from @least to @most. Returns 0 or
 * -EUSAGE; prints the error. */
int study_check_range(const char *option, uint64_t v, uint64_t least, uint64_t most);

/* Checks the options @o, and stores the amounts of --at in o->how. The command sets o->how.form
 * itself. Returns 0 or -EUSAGE; prints the error. */
int study_check(struct study_opts *o);

/* Prints the document @doc of study @c in the format that the options @o select. @views describe
 * the tables. If @html is open, also writes an HTML page with @title. Frees @doc. Returns 0 or
 * -errno; prints the error. */
int study_print(const struct study_opts *o, const struct correlation_study *c, struct out *doc,
		const char *title, const struct view *views, struct output *html);

#endif
