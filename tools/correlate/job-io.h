/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O that the jobs themselves do: characteristics of the jobs (Madireddy and others 2017,
 * table I), jobs that differ from most jobs, and the fraction of the system's I/O
 * that the jobs did (figure 13). */
#ifndef IOSPAN_CORRELATE_JOB_IO_H
#define IOSPAN_CORRELATE_JOB_IO_H

#include <stdio.h>

#include "tools/correlate/correlate.h"

/* Adds a note to @notes if some jobs did different I/O than most jobs. */
void job_io_note(struct out *notes, const struct timed_jobs *jobs);

/* Adds the members "job_io", "different_jobs", "coverage" and "jobs" to @doc. */
void job_io_json(struct out *doc, const struct correlation_study *c);

/* Plots the bytes of the system and of the jobs over time, each divided by its maximum (Madireddy
 * and others 2017, figure 13). If the bytes are unknown, writes nothing. Returns 0 or -errno;
 * prints the error. */
int job_io_html(FILE *f, const struct correlation_study *c);

#endif
