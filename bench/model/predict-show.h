/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the prediction for a workload, and the known errors of predictions. */
#ifndef IOSPAN_MODEL_PREDICT_SHOW_H
#define IOSPAN_MODEL_PREDICT_SHOW_H

#include "bench/model/predict.h"
#include "user/result/view.h"

struct out *predict_json(const struct model *m, const struct prediction *p);
struct out *estimate_json(const struct estimate *e);
/* Returns the parameters that are outside the measured range, or were not varied, such as "size,
 * depth". NULL: there are none. The caller frees the text. */
char *outside_text(const struct prediction *p);

/* Adds prediction @p to @doc, the document of iospan predict. Also adds a conclusion in words, and
 * notes on the limits of the prediction. */
void predict_put(struct out *doc, const struct model *m, const struct prediction *p);
extern const struct view predict_views[];

/* Columns of a table: the parameters of a workload. @at is the path of the workload in the
 * document, such as "workload.". The title of the first column starts with @t. */
#define WORKLOAD_COLUMNS(at, t) \
	COLUMN(at "unique_bytes", .title = t "unique bytes"), \
		COLUMN(at "size_bytes", .title = "size"), \
		COLUMN(at "read_fraction", .title = "read"), \
		COLUMN(at "sequential_fraction", .title = "sequential"), \
		COLUMN(at "process_count", .title = "processes"), \
		COLUMN_OF(at "depth", "depth", VIEW_COUNT)

/* Columns of a table: the quantiles that errors_json() writes. @of is "error" or "repeatability".
 * @t is the title of the median's column. */
#define ERROR_COLUMNS(of, t) \
	COLUMN(of "_median_fraction", .title = t), COLUMN(of "_p75_fraction", .title = "75 %"), \
		COLUMN(of "_p90_fraction", .title = "90 %")

#endif
