/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `characterize` as a JSON document, and tables (views) that print the document as
 * text and CSV. */
#ifndef IOSPAN_CHARACTERIZE_JOB_RESULT_H
#define IOSPAN_CHARACTERIZE_JOB_RESULT_H

#include "tools/characterize/job.h"
#include "user/result/view.h"

/* Returns the JSON document, which the caller frees. If @with_jobs is true, it lists all jobs of a
 * log; the caller ensures that they are at most JOBS_JSON. */
struct out *job_document(const struct job *j, bool with_jobs);
extern const struct view job_views[]; /* for the document of one job */

/* For the document of a log with many jobs. As this document may lack the list of jobs, jobs_csv()
 * adds their lines to the CSV. */
extern const struct view jobs_views[];
void jobs_csv(FILE *f, const void *job);

#endif
