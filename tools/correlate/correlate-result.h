/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the result of `correlate` as a JSON document. Views, which describe tables, print it as
 * text and CSV. A study is the result for all jobs: measures, curves, results of longer
 * intervals. */
#ifndef IOSPAN_CORRELATE_CORRELATE_RESULT_H
#define IOSPAN_CORRELATE_CORRELATE_RESULT_H

#include "tools/correlate/live.h"
#include "user/result/view.h"

/* Returns the JSON document of study @c. The caller frees the document. If the jobs are runs of
 * --live, @live has the details of these runs; NULL: the jobs are from files. */
struct out *correlate_document(const struct correlation_study *c, const struct live *live);
extern const struct view correlate_views[], live_views[];

#endif
