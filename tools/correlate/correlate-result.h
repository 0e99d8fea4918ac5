/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the result of `correlate` as a JSON document. Views describe tables, by which iospan prints
 * the document as text and CSV. A study has all results of the analysis. */
#ifndef IOSPAN_CORRELATE_CORRELATE_RESULT_H
#define IOSPAN_CORRELATE_CORRELATE_RESULT_H

#include "tools/correlate/correlate.h"
#include "user/result/view.h"

/* Returns the JSON document of study @c. The caller frees the document. */
struct out *correlate_document(const struct correlation_study *c);
extern const struct view correlate_views[];

/* Parts of the document for `neighbours`. correlate_head() returns a new document with the name of
 * @command and the conclusion. correlate_json() returns the member "correlation". */
struct out *correlate_head(const char *command, const struct correlation_study *c);
struct out *correlate_json(const struct correlation_study *c);
extern const struct view correlate_tables[];
extern const struct view_column correlate_csv[];

#endif
