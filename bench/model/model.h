/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of a system, read from a result of `iospan bench scale`: the curve over uniqueBytes,
 * the regions and borders found in it, and in each region a curve over each parameter (Chen and
 * Patterson 1993, sections 6 and 8). */
#ifndef IOSPAN_MODEL_H
#define IOSPAN_MODEL_H

#include <stdio.h>
#include "user/stats/kriging.h"
#include "bench/model/workload.h"

struct out;

/* Quantities measured at a point. */
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
	double value[QUANTITIES]; /* above 0; NaN: none */
	double half_width;	  /* half-width of the 95 % interval / value; NaN: unknown */
	bool steady, ring;	  /* ring: measured with io_uring */
	enum probe probe;
};

/* Points over one parameter, ascending. Without points there is no curve. */
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
	struct range range; /* performance changes within it */
	double confidence;
};

/* Relative errors of predictions, and relative differences between two measurements of one workload
 * (section 9, figure 14). */
enum error_kind {
	ERROR_MEDIAN,
	ERROR_P75,
	ERROR_P90, /* up to here: errors of predictions */
	AGAIN_MEDIAN,
	AGAIN_P75,
	AGAIN_P90, /* up to here: differences of repeated measurements */
	ERROR_KINDS
};

struct errors {
	uint64_t workloads;
	double share[ERROR_KINDS]; /* fractions of the measured value */
};

/* A workload of the validation, or a random probe if the result has no validation. */
struct seen {
	struct workload at;
	double predicted, measured; /* bytes per second; NaN: unknown */
	bool border;
};

/* Maximum of points in a result. Kriging needs memory for their square. */
#define MODEL_POINTS 1500

/* Methods of prediction: the product of the curves (section 9), or kriging over all measured
 * points, which is not in the paper (user/stats/kriging.h). */
enum method { METHOD_PRODUCT, METHOD_KRIGING, METHODS };
extern const char *const method_words[METHODS];

struct model {
	const char *path;
	struct out *doc;
	struct range axes[PARAMETERS];
	double buffer_bytes; /* limit for the buffers of all requests; infinite: not given */
	struct series sweep;
	struct region *regions;
	unsigned regions_n;
	struct border *borders;
	unsigned borders_n;
	bool complete;
	struct point *points; /* all points of the result */
	unsigned points_n;
	struct kriging_scale scale;
	struct kriging *kriging;       /* kriging over the points at depth 1; NULL: no probes */
	double *without;	       /* log bandwidth of each, predicted from the others */
	enum method method;	       /* the one with the lower error */
	struct errors probed[METHODS]; /* of random probes, each predicted from all others */
	struct errors inside, outside; /* errors at and outside borders; 0 workloads: unknown */
	struct seen *seen;
	unsigned seen_n;
};

/* Reads and checks a result, with its hash. Returns NULL on failure; prints the error. */
struct model *model_read(const char *path);
/* As model_read() for a document, which the model owns from then on. @path is for errors. */
struct model *model_of(struct out *doc, const char *path);
void model_free(struct model *m);
struct out *errors_json(const struct errors *e);

/* JSON word of the engine of a point, by point.ring. */
extern const char *const point_engines[2];

/* Directions of kriging: each parameter except depth, and the height of the curve over uniqueBytes.
 * The latter is there because a length scale is the same everywhere, while borders are steep. */
#define MODEL_DIRECTIONS (PARAM_DEPTH + 1)

/* The error of a probe, predicted from all other points. */
struct probe_error {
	const struct point *point;
	double predicted; /* bytes per second */
	double off;	  /* relative error */
	double chance;	  /* error by chance, see kriging_chance() */
};

/* Minimum half-width of a point that was not steady. Its successive rates are correlated, which
 * makes its confidence interval too narrow. */
#define HALF_NOT_STEADY 0.2

#endif
