/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An evaluation that goes on where its predictions are worst: what Chen and Patterson 1993
 * (section 10) left to be done.
 *
 * In rounds it measures workloads at random, which tell how far predictions are off, and others
 * near to those that were furthest off so far. From then on kriging predicts from all of them, if
 * it is less off than the product of the curves. */
#ifndef IOSPAN_BENCH_FEEDBACK_H
#define IOSPAN_BENCH_FEEDBACK_H

#include "bench/model/model.h"
#include "bench/scale/evaluate.h"

#define FEEDBACK_RANDOM 5 /* of a round: at random, */
#define FEEDBACK_NEAR 5	  /* and near others */
#define FEEDBACK_ROUNDS 100

struct feedback_step {
	u64 elapsed_ns;
	unsigned probes;
	struct errors error[METHODS];
};

struct feedback {
	struct evaluation *evaluation;
	u64 seed;
	/* What a prediction is made from by now, at f->scale; its caller frees it. NULL:
	 * printed. */
	struct model *(*model)(void *arg);
	/* How long all of it took so far; false: there is no time for another probe. */
	bool (*goes_on)(void *arg, u64 *elapsed_ns);
	void *arg;
	struct kriging_scale scale; /* deviation 0: there is none yet */
	unsigned fitted;	    /* points, when that was searched */
	struct feedback_step steps[FEEDBACK_ROUNDS];
	unsigned steps_n;
	/* Of the evaluation that this one goes on with: when it had so many probes. */
	struct feedback_step earlier[FEEDBACK_ROUNDS];
	unsigned earlier_n;
};

/* Rounds until there is no time; 0, or what the evaluation's measure() returned. */
int feedback_run(struct feedback *f);

void feedback_text(FILE *file, const struct feedback *f);
/* To a document: "feedback" and "kriging". */
void feedback_json(struct out *doc, const struct feedback *f);
/* Reads f->earlier from there. */
void feedback_read(struct feedback *f, const struct out *doc);

#endif
