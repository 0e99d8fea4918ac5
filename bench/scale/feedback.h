/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feedback: after the curves, the evaluation measures more workloads where its predictions are
 * worst, as Chen and Patterson 1993 propose in section 10. These workloads are called probes.
 *
 * Each round measures random workloads, which show the prediction error, and workloads near those
 * with the largest error so far. All probes also feed the prediction by kriging. It is used if its
 * error is below that of the other prediction, the product of the curves. */
#ifndef IOSPAN_BENCH_FEEDBACK_H
#define IOSPAN_BENCH_FEEDBACK_H

#include "bench/model/model.h"
#include "bench/scale/evaluate.h"

#define FEEDBACK_RANDOM 5 /* number of random workloads in a round */
#define FEEDBACK_NEAR 5	  /* number of workloads near large errors in a round */
#define FEEDBACK_ROUNDS 100

struct feedback_step {
	u64 elapsed_ns;
	unsigned probes;
	struct errors error[METHODS];
};

struct feedback {
	struct evaluation *evaluation;
	u64 seed;
	/* Returns a model of all points so far, with the parameters of kriging in f->scale. The
	 * caller frees it. Returns NULL after an error, which it has printed. */
	struct model *(*model)(void *arg);
	/* Sets *@elapsed_ns to the duration of the whole evaluation so far. Returns false if no
	 * time is left for another probe. */
	bool (*goes_on)(void *arg, u64 *elapsed_ns);
	void *arg;
	/* fitted parameters of kriging; .deviation is 0 before the first fit */
	struct kriging_scale scale;
	unsigned fitted; /* number of points when .scale was fitted */
	struct feedback_step steps[FEEDBACK_ROUNDS];
	unsigned steps_n;
	/* Steps of the interrupted evaluation that is resumed. Only .probes and .elapsed_ns are
	 * set. */
	struct feedback_step earlier[FEEDBACK_ROUNDS];
	unsigned earlier_n;
};

/* Runs rounds of probes until no time is left. Returns 0 or the error of evaluation->measure(). */
int feedback_run(struct feedback *f);

/* Adds the keys "feedback" and "kriging" to the document @doc. */
void feedback_json(struct out *doc, const struct feedback *f);
/* Reads f->earlier from the key "feedback" of @doc, the result of an interrupted evaluation. */
void feedback_read(struct feedback *f, const struct out *doc);

#endif
