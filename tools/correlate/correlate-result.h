/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the result of `correlate` as a JSON document. Views, which describe tables, print it as
 * text and CSV. A study is the result for all jobs: measures, curves, results of longer
 * intervals. */
#ifndef IOSPAN_CORRELATE_CORRELATE_RESULT_H
#define IOSPAN_CORRELATE_CORRELATE_RESULT_H

#include "tools/correlate/correlate.h"
#include "user/result/view.h"

/* Returns the JSON document of study @c. The caller frees the document. */
struct out *correlate_document(const struct correlation_study *c);
extern const struct view correlate_views[];

/* Parts of this document, for the document of `neighbours`. correlate_head() returns a new document
 * of command @command with the conclusion, and correlate_json() adds the numbers. */
struct out *correlate_head(const char *command, const struct correlation_study *c);
void correlate_json(struct out *doc, const struct correlation_study *c);
extern const struct view correlate_tables[];
extern const struct view_column correlate_csv[];

#endif
