/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feedback (proposed in section 10 of Chen and Patterson 1993): when the curves are complete, the
 * evaluation measures more workloads, called probes. Some probes are random and show the error of
 * predictions. The others are near workloads with large errors, and improve kriging. A round
 * measures several probes. A step (struct feedback_step) has the prediction errors after a
 * round. */
#ifndef IOSPAN_BENCH_FEEDBACK_H
#define IOSPAN_BENCH_FEEDBACK_H

#include "bench/model/model.h"
#include "bench/scale/evaluate.h"

#define FEEDBACK_RANDOM 5
#define FEEDBACK_NEAR 5
#define FEEDBACK_ROUNDS 100

struct feedback_step {
	u64 elapsed_ns;
	unsigned probes;
	struct errors error[METHODS];
};

struct feedback {
	struct evaluation *evaluation;
	u64 seed;
	/* Returns a model of all points so far, which the caller frees. The kriging of the model
	 * uses .scale if it is set. After an error, prints the error and returns NULL. */
	struct model *(*model)(void *arg);
	/* Sets *@elapsed_ns to the duration of the evaluation so far. Returns false if there is no
	 * time for another probe. */
	bool (*goes_on)(void *arg, u64 *elapsed_ns);
	void *arg;
	/* parameters of kriging, fitted to the points; .deviation is 0 before the first fit */
	struct kriging_scale scale;
	unsigned fitted; /* number of points at the last fit of .scale */
	struct feedback_step steps[FEEDBACK_ROUNDS];
	unsigned steps_n;
	/* steps of the evaluation that is resumed; only .probes and .elapsed_ns are set */
	struct feedback_step earlier[FEEDBACK_ROUNDS];
	unsigned earlier_n;
};

/* Measures probes until no time is left. Returns 0 or the error of evaluation->measure(). */
int feedback_run(struct feedback *f);

/* Adds "feedback" (the steps) and "kriging" (its parameters) to the document @doc. */
void feedback_json(struct out *doc, const struct feedback *f);
/* Reads f->earlier from "feedback" in @doc, the document of an interrupted evaluation. */
void feedback_read(struct feedback *f, const struct out *doc);

#endif
