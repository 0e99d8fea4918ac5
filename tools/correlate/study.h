/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options and output that the commands `correlate` and `neighbours` share. A study has all results
 * of the analysis. */
#ifndef IOSPAN_CORRELATE_STUDY_H
#define IOSPAN_CORRELATE_STUDY_H

#include "tools/correlate/correlate.h"
#include "user/base/opt-common.h"
#include "user/result/result.h"

struct study_opts {
	const char *html, *at;
	uint64_t granularity, permutations, sample, bins, trees, points, seed;
	bool json, csv;
};

#define STUDY_DEFAULTS \
	{ \
		.granularity = 20, .permutations = 499, .sample = 1000, .trees = 500, \
		.points = 11, .seed = 1 \
	}

#define STUDY_OPTS(o) \
	OPT_UINT(0, "granularity", &(o).granularity, "N", "merge up to N intervals; 1: none"), \
		OPT_UINT(0, "permutations", &(o).permutations, "N", \
			 "number of permutations for p; 0: no p"), \
		OPT_UINT(0, "sample", &(o).sample, "N", \
			 "largest number of jobs for expensive measures"), \
		OPT_UINT(0, "bins", &(o).bins, "N", \
			 "number of bins for the mutual information; 0: estimate it by " \
			 "neighbours"), \
		OPT_UINT(0, "trees", &(o).trees, "N", "number of trees of the random forest"), \
		OPT_UINT(0, "points", &(o).points, "N", "number of points of a curve"), \
		OPT_STR(0, "at", &(o).at, "AMOUNT,...", \
			"amounts at which to predict the I/O time, instead of --points"), \
		OPT_SEED(&(o).seed), OPT_HTML(&(o).html), OPT_JSON(&(o).json), OPT_CSV(&(o).csv)

/* Checks that @v, the argument of --@option, is from @least to @most. Returns 0 or -EUSAGE; prints
 * the error. */
int study_check_range(const char *option, uint64_t v, uint64_t least, uint64_t most);

/* Checks the options @o, and stores them in @how. Each command has its own option for how->form,
 * and sets that field afterwards. Returns 0 or -EUSAGE; prints the error. */
int study_check(const struct study_opts *o, struct correlate_options *how);

/* Prints the document @doc of study @c in the format that the options @o select. @views describe
 * the tables. If @html is open, also writes an HTML page with @title. Frees @doc. Returns 0 or
 * -errno; prints the error. */
int study_print(const struct study_opts *o, const struct correlation_study *c, struct out *doc,
		const char *title, const struct view *views, struct output *html);

#endif
