/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a self-scaling evaluation: as a document, saved, and resumed from a file. */
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
	double feedback_fraction;    /* fraction of the budget for feedback */
	u64 elapsed_ns;		     /* sum over all runs, if it was resumed */
	bool complete, over;	     /* over: the budget ended it before it was complete */
	const struct layers *layers; /* NULL: not measured */
	struct out *environment;
};

/* evaluation_focal_band(), with the drift that kriging found in the probes, if there are any. */
struct range scale_focal_band(const struct scale_result *r, const struct family *f,
			      enum parameter p);

#define BUDGET_TEXT (NUM_TEXT + 4)
/* The caller frees the document. */
struct out *scale_document(const struct scale_result *r);

/* Writes the document. A reader finds either the previous document or the complete new one, even
 * after a power failure. Returns 0 or -errno; prints the error. */
struct output;
int scale_save(struct output *o, const struct scale_result *r);

/* Reads the options and the points of an interrupted evaluation from @doc, which must outlive @r.
 * @path is for messages. Returns 0 or -errno; prints the error. */
int scale_take_up(struct scale_result *r, const char *path, const struct out *doc);

#endif
