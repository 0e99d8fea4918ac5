/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `characterize` as a JSON document, and tables (views) that print the document as
 * text and CSV. */
#ifndef IOSPAN_CHARACTERIZE_JOB_RESULT_H
#define IOSPAN_CHARACTERIZE_JOB_RESULT_H

#include "tools/characterize/job.h"
#include "user/result/view.h"

/* Returns the document, which the caller frees. */
struct out *job_document(const struct job *j);
extern const struct view job_views[];  /* of one job */
extern const struct view jobs_views[]; /* of several jobs (--jobs) */

/* Makes the elements of the array "jobs" in the document of several jobs, one for each job of the
 * struct job @job, and calls @add with each. The whole array may be too large for memory: see
 * struct made. */
void each_job(const void *job, void (*add)(void *to, struct out *element), void *to);

#endif
