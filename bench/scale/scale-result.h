/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of bench scale as JSON. iospan saves the result repeatedly, so that an interrupted
 * evaluation can be resumed. */
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
	u64 budget_ns; /* time limit of the evaluation in ns (--budget); 0: no limit */
	/* fraction of the time limit that is reserved for probes */
	double feedback_fraction;
	/* duration of the evaluation; if it was resumed, the sum of all runs */
	u64 elapsed_ns;
	bool complete, over; /* .over: the time limit passed before the evaluation was complete */
	const struct layers *layers; /* the vfs and device layers; NULL: not measured */
	struct out *environment;
};

#define BUDGET_TEXT (NUM_TEXT + 4)
/* Writes the time limit to @buf, such as " of 15m", or "" without a limit. Returns @buf. */
const char *scale_budget_text(char buf[BUDGET_TEXT], u64 budget_ns);

struct out *scale_document(const struct scale_result *r);
extern const struct view scale_views[];

/* Writes the result to the file of @o. Even after a power failure, the file has a complete
 * document, the previous or the new one. Returns 0 or -errno; prints the error. */
struct output;
int scale_save(struct output *o, const struct scale_result *r);

/* Reads options and samples of an interrupted evaluation from @doc into @r, so that the evaluation
 * can be resumed. @doc must stay valid as long as @r. @path is the name of the file for messages.
 * Returns 0 or -errno; prints the error. */
int scale_take_up(struct scale_result *r, const char *path, const struct out *doc);

#endif
