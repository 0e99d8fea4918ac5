/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of correlate: a document and its views. */
#ifndef IOSPAN_CORRELATE_CORRELATE_RESULT_H
#define IOSPAN_CORRELATE_CORRELATE_RESULT_H

#include "tools/correlate/live.h"
#include "user/result/view.h"

/* @live: the runs that the study is computed from; NULL: jobs from files. The caller owns the
 * result. */
struct out *correlate_document(const struct correlation_study *c, const struct live *live);
extern const struct view correlate_views[], live_views[];

#endif
