/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a result of `iospan bench scale` says of a system: its regions, and in each a curve
 * over every parameter. */
#ifndef IOSPAN_MODEL_H
#define IOSPAN_MODEL_H

#include <stdio.h>
#include "user/stats/kriging.h"
#include "bench/model/workload.h"

struct out;

/* What a point measures. */
enum quantity {
	QUANTITY_BANDWIDTH,
	QUANTITY_IOPS,
	QUANTITY_ARPT,
	QUANTITY_BPS_APP,
	QUANTITY_BPS_VFS,
	QUANTITY_BPS_DEVICE,
	QUANTITIES
};

struct point {
	struct workload at;
	double value[QUANTITIES]; /* above 0; NaN: there is none */
	double half_width;	  /* share, 95 %; NaN: not known */
	bool steady, ring;	  /* ring: by io_uring */
	enum probe probe;
};

/* Points over one parameter, ascending; without any there is no curve. */
struct series {
	unsigned n;
	struct point *points;
	struct curve *curves[QUANTITIES];
};

struct region {
	struct range bytes;
	struct workload focal;
	struct series series[PARAMETERS];
};

struct border {
	double bytes;
	struct range range; /* performance changes from here to there */
	double confidence;
};

/* How far predictions were off, as shares of what was measured; and how far two
 * measurements of the same workload are from each other. */
enum error_kind {
	ERROR_MEDIAN,
	ERROR_P75,
	ERROR_P90, /* of a prediction */
	AGAIN_MEDIAN,
	AGAIN_P75,
	AGAIN_P90, /* of the other measurement */
	ERROR_KINDS
};

struct errors {
	uint64_t workloads;
	double share[ERROR_KINDS];
};

/* One of the workloads of a validation; without one, a random probe. */
struct seen {
	struct workload at;
	double predicted, measured; /* bytes per second; NaN: not known */
	bool border;
};

/* That a result may have: the kriging takes the square of that in memory. */
#define MODEL_POINTS 1500

/* How a prediction is made: by the product of the curves, as Chen and Patterson do it; or from
 * all points that were measured, as far as they are near (kriging.h). */
enum method { METHOD_PRODUCT, METHOD_KRIGING, METHODS };
extern const char *const method_words[METHODS];

struct model {
	const char *path;
	struct out *doc;
	struct range axes[PARAMETERS];
	double buffer_bytes; /* of the requests of all processes; infinite: not told */
	struct series sweep;
	struct region *regions;
	unsigned regions_n;
	struct border *borders;
	unsigned borders_n;
	bool complete;
	struct point *points; /* all of them; no curves */
	unsigned points_n;
	struct kriging_scale scale;
	struct kriging *kriging;       /* of those without depth, in their order; NULL: no probes */
	double *without;	       /* what that says of each of them without it; logarithms */
	enum method method;	       /* that was less off */
	struct errors probed[METHODS]; /* of the random probes, each predicted from all others */
	struct errors inside, outside; /* a border; of no workloads: not validated */
	struct seen *seen;
	unsigned seen_n;
};

/* NULL after an error was printed: it cannot be read, was changed since it was made, or is
 * not such a result. */
struct model *model_read(const char *path);
/* The same of a document, which it takes; @path is for messages. */
struct model *model_of(struct out *doc, const char *path);
void model_free(struct model *m);

/* The kriging has a direction for each parameter but depth, and one for how fast the curve over
 * all bytes is there: a length is the same everywhere, but borders are steep. */
#define MODEL_DIRECTIONS (PARAM_DEPTH + 1)

struct out *errors_json(const struct errors *e);

/* How far off @method is for each probe, as a share, when all but that is known: the random
 * ones, or those near others too (PROBE_NEAR). @to has room for all points. */
struct probe_error {
	const struct point *point;
	double predicted; /* bytes per second */
	double off;
	double chance; /* that its measurement is off by, as kriging_chance() */
};

/* The focal point's value of @q that predictions use; NaN if it has none. A prediction divides by
 * this value once for each parameter, so an error of that one measurement counts more than all
 * others. Each curve estimates it a second time, from the points beside it. The result is the mean
 * of these estimates and the measurement, weighted by their intervals, with FOCAL_BEND for the bend
 * of a curve. The points of the region keep their measured values. */
#define FOCAL_BEND 0.05

/* The least half-width of a point that was not steady: its interval, which is made from intervals
 * that resemble each other, is too narrow then. */
#define HALF_NOT_STEADY 0.2

#endif
