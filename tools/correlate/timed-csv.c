// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads jobs from CSV, and the activities of jobs from another CSV file. An activity is the time
 * from a job's first to its last read of a file, or from its first to its last write. */
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/csv.h"
#include "tools/correlate/timed-jobs.h"
#include "tools/correlate/timed-csv.h"

struct job_columns {
	struct timed_jobs *to;
	struct series *system; /* for ready-made pairs: the amounts */
	struct series_columns amounts;
	int name, start, end, seconds[FORMS], volumes[VOLUMES];
};

/* Returns the number of the CSV column with the I/O time @form, such as "metadata_s", or -1.
 * FORM_INTERVALS has no column, because it is computed from the times at which the job used its
 * files. */
static int form_column(const struct csv_file *c, enum form form)
{
	char name[32];

	snprintf(name, sizeof(name), "%s_s", form_names[form]);
	return form == FORM_INTERVALS ? -1 : csv_find(&c->csv, name);
}

/* Reads the cell in @column, a number from 0 on, into *@v. If @column is -1, changes nothing. */
static int take_positive(struct csv_file *c, int column, double *v)
{
	int ret = column < 0 ? 0 : csv_file_number(c, column, v);

	if (!ret && column >= 0 && *v < 0)
		ret = csv_file_bad(c, "%s is below 0", c->csv.names[column]);
	return ret;
}

/* With --mount, only the elapsed time is used, because the other I/O times are of all files. */
static int take_values(struct csv_file *c, const struct job_columns *at, struct timed_job *j)
{
	int ret = 0;

	for (enum form form = 0; !ret && form < FORMS; form++)
		if (form == FORM_RUN || !at->to->mounts)
			ret = take_positive(c, at->seconds[form], &j->seconds[form]);
	for (int k = 0; !ret && k < VOLUMES; k++)
		ret = take_positive(c, at->volumes[k], &j->all[k]);
	return ret;
}

static int job_row(struct csv_file *c, void *arg)
{
	const struct job_columns *at = arg;
	double start, end;
	int ret = csv_file_want_number(c, at->start, &start);

	if (!ret)
		ret = csv_file_want_number(c, at->end, &end);
	if (ret)
		return ret;
	if (end < start)
		return csv_file_bad(c, "job '%.40s' ends before it starts", c->csv.cells[at->name]);
	return take_values(c, at, timed_jobs_add(at->to, c->csv.cells[at->name], start, end));
}

static void find_columns(const struct csv_file *c, struct job_columns *at)
{
	for (enum form form = 0; form < FORMS; form++)
		at->seconds[form] = form_column(c, form);
	for (int k = 0; k < VOLUMES; k++)
		at->volumes[k] = csv_find(&c->csv, volume_names[k]);
}

static int read_jobs(struct csv_file *c, struct timed_jobs *to)
{
	struct job_columns at = { .to = to, .name = csv_file_want(c, "job") };

	if (at.name < 0)
		return at.name;
	at.start = csv_file_want(c, "t_start_s");
	if (at.start < 0)
		return at.start;
	at.end = csv_file_want(c, "t_end_s");
	if (at.end < 0)
		return at.end;
	find_columns(c, &at);
	return csv_file_each(c, job_row, &at);
}

int timed_jobs_read_csv(struct timed_jobs *to, const char *path)
{
	struct csv_file c;
	int ret = csv_file_open(&c, path);

	if (!ret)
		ret = read_jobs(&c, to);
	csv_file_close(&c);
	return ret;
}

/* Stores pair k as a job that takes the whole interval k, from k to k + 1 s. So the amount of
 * the system during the job is the amount of the pair. */
static int pair_row(struct csv_file *c, void *arg)
{
	struct job_columns *at = arg;
	u32 row = series_add(at->system, at->to->n, at->to->n + 1);
	char number[16];
	int ret;

	snprintf(number, sizeof(number), "%u", row + 1);
	ret = take_values(c, at,
			  timed_jobs_add(at->to, at->name < 0 ? number : c->csv.cells[at->name],
					 row, row + 1));
	return ret ?: series_columns_take(&at->amounts, c, at->system, row);
}

static bool is_io_time(const struct job_columns *at, int column)
{
	for (enum form form = 0; form < FORMS; form++)
		if (at->seconds[form] == column)
			return true;
	return false;
}

static int read_pairs(struct csv_file *c, struct timed_jobs *to, struct series *system)
{
	struct job_columns at = { .to = to, .system = system, .name = csv_find(&c->csv, "job") };
	int ret = 0;

	find_columns(c, &at);
	for (int k = 0; k < VOLUMES; k++)
		at.volumes[k] = -1;
	for (int i = 0; i < c->csv.n && !ret; i++)
		if (i != at.name && !is_io_time(&at, i))
			ret = series_columns_add(&at.amounts, c, system, i);
	to->are_pairs = true;
	if (!ret && !system->columns_n)
		ret = error(-EINVAL, "'%s' has no column of amounts", c->path);
	if (!ret && c->csv.n == (int)system->columns_n + (at.name >= 0))
		ret = error(-EINVAL, "'%s' has no column of I/O times, such as io_s", c->path);
	ret = ret ?: csv_file_each(c, pair_row, &at);
	free(at.amounts.cells);
	return ret ?: series_finish(system, c->path);
}

int timed_jobs_read_pairs(struct timed_jobs *to, struct series *system, const char *path)
{
	struct csv_file c;
	int ret = csv_file_open(&c, path);

	if (!ret)
		ret = read_pairs(&c, to, system);
	csv_file_close(&c);
	return ret;
}

struct activity_columns {
	struct timed_jobs *to;
	const struct timed_job **by_name;
	int job, first, last, op, mount;
};

static int by_name(const void *a, const void *b)
{
	const struct timed_job *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int is_named(const void *name, const void *job)
{
	return strcmp(name, (*(const struct timed_job *const *)job)->name);
}

static int take_form(const struct csv_file *c, int column, enum form *form)
{
	const char *op = column < 0 ? "" : c->csv.cells[column];

	*form = !strcmp(op, "w") || !strcmp(op, "write") ? FORM_WRITES : FORM_READS;
	if (*form == FORM_READS && strcmp(op, "r") && strcmp(op, "read"))
		return csv_file_bad(c, "op '%.40s' is not 'r' or 'w'", op);
	return 0;
}

static int activity_row(struct csv_file *c, void *arg)
{
	struct activity_columns *at = arg;
	const struct timed_job **found;
	double first, last;
	enum form form;
	int ret;

	if (at->mount >= 0 && !timed_jobs_mount_counts(at->to, c->csv.cells[at->mount]))
		return 0;
	ret = csv_file_want_number(c, at->first, &first);

	if (!ret)
		ret = csv_file_want_number(c, at->last, &last);
	if (!ret)
		ret = take_form(c, at->op, &form);
	if (ret)
		return ret;
	if (last < first)
		return csv_file_bad(c, "the last I/O is before the first");
	found = bsearch(c->csv.cells[at->job], at->by_name, at->to->n, sizeof(*found), is_named);
	if (!found)
		return csv_file_bad(c, "there is no job '%.40s'", c->csv.cells[at->job]);
	timed_jobs_activity(
		at->to,
		(struct activity){ .job = *found - at->to->list, .first_s = first, .last_s = last },
		form, last - first);
	return 0;
}

static int index_jobs(struct activity_columns *at)
{
	u32 n = at->to->n;

	at->by_name = need(calloc(n + 1, sizeof(*at->by_name)));
	for (u32 i = 0; i < n; i++)
		at->by_name[i] = &at->to->list[i];
	qsort(at->by_name, n, sizeof(*at->by_name), by_name);
	for (u32 i = 1; i < n; i++)
		if (!by_name(&at->by_name[i - 1], &at->by_name[i]))
			return error(-EINVAL, "job '%.40s' is there twice", at->by_name[i]->name);
	return 0;
}

static int read_activities(struct csv_file *c, struct activity_columns *at)
{
	int ret = index_jobs(at);

	if (ret)
		return ret;
	at->job = csv_file_want(c, "job");
	if (at->job < 0)
		return at->job;
	at->first = csv_file_want(c, "first_io_s");
	if (at->first < 0)
		return at->first;
	at->last = csv_file_want(c, "last_io_s");
	if (at->last < 0)
		return at->last;
	at->op = csv_file_want(c, "op");
	if (at->op < 0)
		return at->op;
	at->mount = at->to->mounts ? csv_file_want(c, "mount") : -1;
	return at->to->mounts && at->mount < 0 ? at->mount : csv_file_each(c, activity_row, at);
}

int timed_jobs_read_activities(struct timed_jobs *to, const char *path)
{
	struct activity_columns at = { .to = to };
	struct csv_file c;
	int ret = csv_file_open(&c, path);

	if (!ret)
		ret = read_activities(&c, &at);
	free(at.by_name);
	csv_file_close(&c);
	return ret;
}
