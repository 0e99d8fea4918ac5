// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs with their I/O times and activities. An activity is the time from a job's first to its last
 * read of one file, or from its first to its last write of one file. */
#include "tools/correlate/timed-jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/trace/filter.h"

const char *const form_names[FORMS + 1] = {
	"run", "metadata", "transfer", "shared", "io", "reads", "writes", "intervals", "span", NULL,
};

const char *const volume_names[VOLUMES + 1] = {
	"process_count", "unique_file_count", "shared_file_count",
	"read_bytes",	 "write_bytes",	      NULL,
};

bool timed_jobs_mount_counts(const struct timed_jobs *all, const char *mount)
{
	const struct trace_name name = { .kind = TRACE_FILE, .text = mount };

	return !all->mounts || trace_name_matches(&name, all->mounts);
}

const double *timed_job_volumes(const struct timed_jobs *all, const struct timed_job *j)
{
	return all->mounts ? j->selected : j->all;
}

struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s)
{
	struct timed_job *j;

	all->list = need_index(all->list, &all->room, all->n, sizeof(*all->list));
	j = &all->list[all->n++];
	*j = (struct timed_job){ .name = need(strdup(name)), .start_s = start_s, .end_s = end_s };
	for (int form = 0; form < FORMS; form++)
		j->seconds[form] = NAN;
	for (int k = 0; k < VOLUMES; k++)
		j->all[k] = j->selected[k] = NAN;
	return j;
}

void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds)
{
	double *longest = &all->list[a.job].seconds[form];

	*longest = fmax(*longest, seconds);
	if (all->activities_n == all->activities_room) {
		all->activities_room = all->activities_room * 2 + 64;
		all->activities = need(reallocarray(all->activities, all->activities_room,
						    sizeof(*all->activities)));
	}
	a.form = form;
	all->activities[all->activities_n++] = a;
}

void timed_jobs_release(struct timed_jobs *all)
{
	for (u32 i = 0; i < all->n; i++)
		free(all->list[i].name);
	free(all->list);
	free(all->activities);
	free(all->example);
}

static int by_job_and_start(const void *a, const void *b)
{
	const struct activity *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return x->first_s < y->first_s ? -1 : x->first_s > y->first_s;
}

/* Keeps a copy of the activities of the job with the most activities, for a plot. Call this after
 * sorting, and before join_overlapping() changes the activities. */
static void keep_example(struct timed_jobs *all)
{
	const struct activity *a = all->activities;
	size_t first = 0, best = 0;

	for (size_t i = 1; i <= all->activities_n; i++) {
		if (i < all->activities_n && a[i].job == a[first].job)
			continue;
		if (i - first > all->example_n) {
			all->example_n = i - first;
			best = first;
		}
		first = i;
	}
	all->example = need(calloc(all->example_n + 1, sizeof(*a)));
	for (size_t i = 0; i < all->example_n; i++)
		all->example[i] = a[best + i];
}

/* Joins activities of the same job that overlap. Activities that only touch stay separate, because
 * an activity of length 0 on the border of two intervals belongs to the later interval
 * (series_touched()). If it were joined with an activity that ends on this border, the job would
 * lose the later interval. */
static void join_overlapping(struct timed_jobs *all)
{
	struct activity *joined = NULL;

	for (size_t i = 0; i < all->activities_n; i++) {
		const struct activity *a = &all->activities[i];

		if (joined && joined->job == a->job && a->first_s < joined->last_s) {
			joined->last_s = fmax(joined->last_s, a->last_s);
			continue;
		}
		joined = joined ? joined + 1 : all->activities;
		*joined = *a;
	}
	all->activities_n = joined ? joined + 1 - all->activities : 0;
}

void timed_jobs_finish(struct timed_jobs *all)
{
	if (all->activities_n)
		qsort(all->activities, all->activities_n, sizeof(*all->activities),
		      by_job_and_start);
	keep_example(all);
	join_overlapping(all);
	for (size_t i = all->activities_n; i; i--) {
		struct timed_job *j = &all->list[all->activities[i - 1].job];

		j->first = i - 1;
		j->n++;
	}
	for (u32 i = 0; i < all->n; i++) {
		double *v = all->list[i].seconds;

		if (isnan(v[FORM_RUN]) && !all->are_pairs)
			v[FORM_RUN] = all->list[i].end_s - all->list[i].start_s;
		if (isnan(v[FORM_IO]))
			v[FORM_IO] = v[FORM_METADATA] + v[FORM_TRANSFER] +
				(isnan(v[FORM_SHARED]) ? 0 : v[FORM_SHARED]);
	}
}

bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s)
{
	if (!series_covers(s, j->start_s, j->end_s))
		return false;
	for (u32 i = j->first; i < j->first + j->n; i++)
		if (!series_covers(s, all->activities[i].first_s, all->activities[i].last_s))
			return false;
	return true;
}

/* Iterates over the intervals in which a job did I/O. Each call of next_run() finds several
 * successive intervals, and returns the first and the last of them. No interval is found twice. */
struct runs {
	const struct activity *next, *end;
	const struct series *s;
};

static struct runs runs_of(const struct timed_jobs *all, const struct timed_job *j,
			   const struct series *s)
{
	return (struct runs){ all->activities + j->first, all->activities + j->first + j->n, s };
}

static bool next_run(struct runs *r, u32 *first, u32 *last)
{
	u32 from, to;

	if (r->next == r->end)
		return false;
	series_touched(r->s, r->next->first_s, r->next->last_s, first, last);
	while (++r->next < r->end) {
		series_touched(r->s, r->next->first_s, r->next->last_s, &from, &to);
		if (from > *last)
			break;
		*last = to > *last ? to : *last;
	}
	return true;
}

double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s)
{
	double sum = 0;
	struct runs r;
	u32 first, last;

	if (!j->n)
		return NAN;
	r = runs_of(all, j, s);
	while (next_run(&r, &first, &last))
		sum += s->end_s[last] - s->start_s[first];
	return sum;
}

/* Returns the I/O of the system in the intervals in which the job did I/O (Madireddy and others
 * 2017, equation 4). Of the first interval, includes only the time from the job's first I/O on. Of
 * the last interval, includes only the time until the job's last I/O. */
static double active_amount(const struct timed_jobs *all, const struct timed_job *j,
			    const struct series *s, u32 column)
{
	struct runs r = runs_of(all, j, s);
	double from = all->activities[j->first].first_s, sum = 0;
	double to = all->activities[j->first + j->n - 1].last_s;
	u32 first, last = 0;

	while (next_run(&r, &first, &last))
		sum += series_between(s, column, fmax(from, s->start_s[first]), s->end_s[last]);
	return sum - series_between(s, column, to, s->end_s[last]);
}

double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active)
{
	if (!active)
		return series_between(s, column, j->start_s, j->end_s);
	return j->n ? active_amount(all, j, s, column) : NAN;
}
