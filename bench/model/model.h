/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A model of a storage system, made from a result of bench scale (Chen and Patterson 1993, sections
 * 6 and 8). The curve over uniqueBytes, the amount of data, is divided into regions. Performance
 * falls at the borders between the regions. Each region has a curve over each parameter.
 *
 * A point is a measured workload, and a quantity a result such as the bandwidth. The half-width of
 * a point is half the 95 % confidence interval of its bandwidth. Probes are points that were
 * measured to test predictions. Kriging predicts by interpolation between points. The validation
 * compares predictions with measurements of random workloads. */
#ifndef IOSPAN_MODEL_H
#define IOSPAN_MODEL_H

#include <stdio.h>
#include "user/stats/kriging.h"
#include "bench/model/workload.h"

struct out;

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
	double value[QUANTITIES]; /* measured value of each quantity; NaN: not measured */
	/* half the 95 % confidence interval, as a fraction of the bandwidth; NaN: unknown */
	double half_width;
	bool steady, ring; /* .ring: the point was measured with io_uring */
	enum probe probe;
};

/* Points that differ in one parameter only, in ascending order. For each quantity, one curve goes
 * through all points. Without points, the curves are NULL. */
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
	struct range range; /* performance falls within this range of uniqueBytes */
	double confidence;
};

/* Indexes of errors.share (Chen and Patterson 1993, section 9, figure 14). ERROR_...: quantiles of
 * the relative errors of predictions. AGAIN_...: quantiles of the differences between two
 * measurements of one workload. */
enum error_kind {
	ERROR_MEDIAN,
	ERROR_P75,
	ERROR_P90,
	AGAIN_MEDIAN,
	AGAIN_P75,
	AGAIN_P90,
	ERROR_KINDS
};

struct errors {
	uint64_t workloads;
	/* share[k]: quantile k (enum error_kind) of the errors, as a fraction of the measured
	 * value */
	double share[ERROR_KINDS];
};

/* Methods of prediction: the product of curves (Chen and Patterson 1993, section 9), and kriging
 * from all points (user/stats/kriging.h). Kriging is not from that paper. */
enum method { METHOD_PRODUCT, METHOD_KRIGING, METHODS };
extern const char *const method_words[METHODS];
/* for each method: the JSON key of the bandwidth that it predicts */
extern const char *const method_keys[METHODS];

/* A workload that was predicted and also measured. It belongs to the validation or, if there is no
 * validation, is a random probe. */
struct seen {
	struct workload at;
	double predicted, measured; /* bandwidth in bytes per second; NaN: unknown */
	double by[METHODS];	    /* bandwidth that each method predicts; NaN: unknown */
	bool border;
};

/* maximum number of points; the memory for kriging grows with its square */
#define MODEL_POINTS 1500

struct model {
	const char *path;
	struct out *doc;
	struct range axes[PARAMETERS];
	/* maximum size of the buffers of all requests together, in bytes; may be infinite */
	double buffer_bytes;
	struct series sweep;
	struct region *regions;
	unsigned regions_n;
	struct border *borders;
	unsigned borders_n;
	bool complete;
	struct point *points;
	unsigned points_n;
	struct kriging_scale scale;
	/* predicts the bandwidth from all points at depth 1; NULL: not available */
	struct kriging *kriging;
	/* for each point of kriging: log of its bandwidth, predicted from all other points */
	double *without;
	enum method method; /* the method with the lower error for the probes */
	/* for each method: errors of its predictions for the random probes, where each probe is
	 * predicted from all other points */
	struct errors probed[METHODS];
	/* errors of predictions in the validation. .inside: for workloads at borders. .outside: for
	 * all other workloads. If .workloads is 0, the errors are unknown. */
	struct errors inside, outside;
	struct seen *seen;
	unsigned seen_n;
};

/* Reads and checks a result of bench scale. Returns NULL on failure; prints the error. */
struct model *model_read(const char *path);
/* Makes a model from the document @doc, as model_read() does from a file. The model owns @doc from
 * then on. @path: name for error messages. */
struct model *model_of(struct out *doc, const char *path);
void model_free(struct model *m);
struct out *errors_json(const struct errors *e);

/* Returns the value of @q at the focal point of @r, for predictions (Chen and Patterson 1993,
 * section 8); NaN: there is none.
 *
 * The focal point was measured. In addition, each curve gives an estimate: the value on the
 * straight line between the points before and after the focal point. The result is a weighted mean
 * of the measurement and the estimates. A value with a narrow confidence interval has a larger
 * weight. FOCAL_BEND widens the intervals of the estimates, because curves are not straight. */
#define FOCAL_BEND 0.05
double model_settled_focal(const struct region *r, enum quantity q);

/* Names of the engines in JSON, indexed by point.ring. */
extern const char *const point_engines[2];

/* Number of coordinates in kriging: one for each parameter except the depth, and one for the height
 * of the curve over uniqueBytes. Kriging assumes that bandwidth changes equally fast along a whole
 * axis. But at a border between regions, bandwidth changes faster. The height of the curve changes
 * faster there, too, so it serves as an additional coordinate. */
#define MODEL_DIRECTIONS (PARAM_DEPTH + 1)

/* The error of a prediction for one probe. The prediction uses all points except this probe. */
struct probe_error {
	const struct point *point;
	double predicted; /* in bytes per second */
	double off;	  /* relative error of .predicted */
	/* error that the noise of measurements alone would cause (kriging_chance()) */
	double chance;
};

/* Minimum half-width of a point that was not steady, as a fraction of its bandwidth. The measured
 * confidence interval of an unsteady point is too narrow, because successive rates are
 * correlated. */
#define HALF_NOT_STEADY 0.2

#endif
