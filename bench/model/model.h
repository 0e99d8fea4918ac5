/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A model of a storage system, read from a result of `iospan bench scale`. It has the curve over
 * uniqueBytes, the regions and borders found in that curve, and in each region a curve over each
 * parameter (Chen and Patterson 1993, sections 6 and 8). */
#ifndef IOSPAN_MODEL_H
#define IOSPAN_MODEL_H

#include <stdio.h>
#include "user/stats/kriging.h"
#include "bench/model/workload.h"

struct out;

/* Quantities that are measured at a point. */
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
	double value[QUANTITIES]; /* measured values, above 0; NaN: not measured */
	/* half-width of the 95 % interval of the bandwidth / bandwidth; NaN: unknown */
	double half_width;
	bool steady, ring; /* ring: the point was measured with io_uring */
	enum probe probe;
};

/* The points over one parameter, in ascending order, and the curves through them. Curves are NULL
 * if there are no points. */
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
	struct range range; /* performance changes within this range of uniqueBytes */
	double confidence;
};

/* Quantiles of two kinds of relative differences (section 9, figure 14): errors of predictions, and
 * differences between two measurements of one workload. */
enum error_kind {
	ERROR_MEDIAN,
	ERROR_P75,
	ERROR_P90, /* last quantile of the errors of predictions */
	AGAIN_MEDIAN,
	AGAIN_P75,
	AGAIN_P90, /* last quantile of the differences between measurements */
	ERROR_KINDS
};

struct errors {
	uint64_t workloads;
	/* quantiles of relative errors, as fractions of the measured value */
	double share[ERROR_KINDS];
};

/* A workload of the validation; if the result has no validation, a random probe. */
struct seen {
	struct workload at;
	double predicted, measured; /* bandwidths in bytes per second; NaN: unknown */
	bool border;
};

/* Largest number of points in a result. The memory that kriging needs grows with its square. */
#define MODEL_POINTS 1500

/* Methods of prediction: the product of the curves (section 9), or kriging from all measured points
 * (user/stats/kriging.h), which is not in the paper. */
enum method { METHOD_PRODUCT, METHOD_KRIGING, METHODS };
extern const char *const method_words[METHODS];

struct model {
	const char *path;
	struct out *doc;
	struct range axes[PARAMETERS];
	/* memory limit for the buffers of all requests; infinite: none is given */
	double buffer_bytes;
	struct series sweep;
	struct region *regions;
	unsigned regions_n;
	struct border *borders;
	unsigned borders_n;
	bool complete;
	struct point *points; /* all measured points of the result */
	unsigned points_n;
	struct kriging_scale scale;
	struct kriging *kriging; /* kriging from the points at depth 1; NULL: there are no probes */
	double *without;    /* for each of these points: log bandwidth, predicted from the others */
	enum method method; /* the method of prediction that has the lower error */
	/* errors for random probes, each predicted from all other points */
	struct errors probed[METHODS];
	/* errors of the validation at borders, outside them; 0 workloads: unknown */
	struct errors inside, outside;
	struct seen *seen;
	unsigned seen_n;
};

/* Reads a result and checks it and its hash. Returns NULL on failure; prints the error. */
struct model *model_read(const char *path);
/* Makes a model from the document @doc as model_read() does. The model then owns @doc. @path: name
 * of the file for error messages. */
struct model *model_of(struct out *doc, const char *path);
void model_free(struct model *m);
struct out *errors_json(const struct errors *e);

/* JSON words of the engines, indexed by point.ring. */
extern const char *const point_engines[2];

/* Number of directions of kriging: one for each parameter except depth, and one for the height of
 * the curve over uniqueBytes. Kriging has one length per direction, but bandwidth changes faster at
 * a border than elsewhere. The height accounts for that. */
#define MODEL_DIRECTIONS (PARAM_DEPTH + 1)

/* The error of the prediction of a probe from all other points. */
struct probe_error {
	const struct point *point;
	double predicted; /* predicted bandwidth in bytes per second */
	double off;	  /* relative error of the prediction */
	double chance;	  /* error that chance alone makes, see kriging_chance() */
};

/* Least half-width of a point that was not steady. The rates of its intervals are correlated, so
 * its confidence interval is too narrow. */
#define HALF_NOT_STEADY 0.2

#endif
