/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of characterize: a document and its views. */
#ifndef IOSPAN_CHARACTERIZE_JOB_RESULT_H
#define IOSPAN_CHARACTERIZE_JOB_RESULT_H

#include "tools/characterize/job.h"
#include "user/result/view.h"

/* Returns the document, which the caller frees. @with_jobs: it has all jobs of a log, which may be
 * up to JOBS_JSON. */
struct out *job_document(const struct job *j, bool with_jobs);
extern const struct view job_views[]; /* of one job */

/* The views of the jobs of a log. jobs_csv() adds the rows of all jobs to the CSV. */
extern const struct view jobs_views[];
void jobs_csv(FILE *f, const void *job);

#endif
