/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `neighbours` as a JSON document, and the views that describe how it is shown as
 * text. */
#ifndef IOSPAN_RUNS_RESULT_H
#define IOSPAN_RUNS_RESULT_H

#include "tools/neighbours/runs.h"
#include "user/result/view.h"

/* Returns the JSON document of the runs @r. @c is the result of correlate_jobs() for these runs.
 * The caller frees the document. */
struct out *runs_document(const struct runs *r, const struct correlation_study *c);
extern const struct view runs_views[];

#endif
