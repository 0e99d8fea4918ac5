/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What came of a self-scaling evaluation, and how it is told, kept and taken up again. */
#ifndef IOSPAN_BENCH_SCALE_RESULT_H
#define IOSPAN_BENCH_SCALE_RESULT_H

#include <stdio.h>
#include "bench/scale/evaluate.h"
#include "bench/scale/feedback.h"
#include "bench/scale/rig.h"
#include "user/base/num.h"

struct scale_result {
	struct evaluation evaluation;
	struct feedback feedback;
	struct rig_options how;
	u64 budget_ns;		     /* 0: none */
	double feedback_share;	     /* of the budget */
	u64 elapsed_ns;		     /* of all parts, if it was interrupted */
	bool complete, over;	     /* over: the budget ended it before it was complete */
	const struct layers *layers; /* NULL: not measured */
	struct out *environment;
};

/* evaluation_focal_band(), with what measurements of a time have in common, if probes told that. */
struct range scale_focal_band(const struct scale_result *r, const struct family *f,
			      enum parameter p);

/* " of 15m", or nothing without a budget. */
#define BUDGET_TEXT (NUM_TEXT + 4)
/* The caller frees it. */
struct out *scale_document(const struct scale_result *r);

/* Writes the document. A reader finds the document of the time before or the complete new one, also
 * after a power failure. -errno, printed. */
struct output;
int scale_save(struct output *o, const struct scale_result *r);

/* What an evaluation was asked for and the points that it has, from a document, which must
 * outlive @r. -errno, printed, if it is none. */
int scale_take_up(struct scale_result *r, const char *path, const struct out *doc);

#endif
