/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a self-scaling evaluation: a JSON document that is saved, and from which an
 * interrupted evaluation is resumed. */
#ifndef IOSPAN_BENCH_SCALE_RESULT_H
#define IOSPAN_BENCH_SCALE_RESULT_H

#include <stdio.h>
#include "bench/scale/evaluate.h"
#include "bench/scale/feedback.h"
#include "bench/scale/rig.h"
#include "user/base/num.h"
#include "user/result/view.h"

struct scale_result {
	struct evaluation evaluation;
	struct feedback feedback;
	struct rig_options how;
	u64 budget_ns; /* time limit; 0: none */
	/* fraction of the budget that is reserved for feedback (feedback.h) */
	double feedback_fraction;
	u64 elapsed_ns;	     /* duration of the evaluation; the sum of all runs if it was resumed */
	bool complete, over; /* over: the budget was used up before the evaluation was complete */
	const struct layers *layers; /* vfs and device layers; NULL: not measured */
	struct out *environment;
};

#define BUDGET_TEXT (NUM_TEXT + 4)
/* Writes the budget to @buf, such as " of 15m", or "" if there is none. Returns @buf. */
const char *scale_budget_text(char buf[BUDGET_TEXT], u64 budget_ns);

/* Returns the result as a JSON document, which the caller frees. */
struct out *scale_document(const struct scale_result *r);
extern const struct view scale_views[];

/* Writes the result as a document to @o. A reader of the file finds either the previous document or
 * the complete new one, even after a power failure. Returns 0 or -errno; prints the error. */
struct output;
int scale_save(struct output *o, const struct scale_result *r);

/* Reads the options and the samples of an interrupted evaluation from @doc, which must outlive @r.
 * @path: name of the file for error messages. Returns 0 or -errno; prints the error. */
int scale_take_up(struct scale_result *r, const char *path, const struct out *doc);

#endif
