/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `characterize` as a JSON document, and tables (views) that print the document as
 * text and CSV. */
#ifndef IOSPAN_CHARACTERIZE_JOB_RESULT_H
#define IOSPAN_CHARACTERIZE_JOB_RESULT_H

#include "tools/characterize/job.h"
#include "user/result/view.h"

/* Returns the document, which the caller frees. */
struct out *job_document(const struct job *j);
extern const struct view job_views[]; /* of one job */

/* The views of the jobs of a log, and the array "jobs" of their document; see place.h. */
extern const struct view jobs_views[];
void each_job(const void *job, void (*add)(void *to, struct out *element), void *to);

#endif
