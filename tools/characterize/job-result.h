/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `characterize` as a JSON document, and the views that print it. A view describes
 * how a part of the document is shown, for instance as a table. */
#ifndef IOSPAN_CHARACTERIZE_JOB_RESULT_H
#define IOSPAN_CHARACTERIZE_JOB_RESULT_H

#include "tools/characterize/job.h"
#include "user/result/view.h"

struct out *job_document(const struct job *j);
extern const struct view job_views[];  /* views for the result of one job */
extern const struct view jobs_views[]; /* views for the results of several jobs (--jobs) */

/* Calls @add with each element of the array "jobs", one per job. The elements are made one at a
 * time, because the whole array may exceed the memory. */
void each_job(const void *job, void (*add)(void *to, struct out *element), void *to);

#endif
