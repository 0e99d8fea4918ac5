/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feedback: the evaluation continues where its predictions are worst, as Chen and Patterson 1993
 * propose in section 10.
 *
 * Each round measures random workloads, which show the prediction error, and workloads near those
 * with the largest error so far. These probes also feed the kriging prediction. It is used if its
 * error is below that of the product of the curves. */
#ifndef IOSPAN_BENCH_FEEDBACK_H
#define IOSPAN_BENCH_FEEDBACK_H

#include "bench/model/model.h"
#include "bench/scale/evaluate.h"

#define FEEDBACK_RANDOM 5 /* random workloads per round */
#define FEEDBACK_NEAR 5	  /* workloads near large errors per round */
#define FEEDBACK_ROUNDS 100

struct feedback_step {
	u64 elapsed_ns;
	unsigned probes;
	struct errors error[METHODS];
};

struct feedback {
	struct evaluation *evaluation;
	u64 seed;
	/* The model of all points so far, with kriging scale f->scale. The caller frees it. NULL:
	 * error, printed. */
	struct model *(*model)(void *arg);
	/* Sets *@elapsed_ns of the whole evaluation. False: no time is left for another probe. */
	bool (*goes_on)(void *arg, u64 *elapsed_ns);
	void *arg;
	struct kriging_scale scale; /* deviation 0: not known yet */
	unsigned fitted;	    /* number of points when the scale was fitted */
	struct feedback_step steps[FEEDBACK_ROUNDS];
	unsigned steps_n;
	/* Steps of the evaluation that this one resumes: only probes and elapsed_ns. */
	struct feedback_step earlier[FEEDBACK_ROUNDS];
	unsigned earlier_n;
};

/* Runs rounds until no time is left. Returns 0 or the error of the evaluation's measure(). */
int feedback_run(struct feedback *f);

void feedback_text(FILE *file, const struct feedback *f);
/* Adds "feedback" and "kriging" to a document. */
void feedback_json(struct out *doc, const struct feedback *f);
/* Reads f->earlier from such a document. */
void feedback_read(struct feedback *f, const struct out *doc);

#endif
