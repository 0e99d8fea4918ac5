// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads CSV files: jobs, activities of jobs, pairs of an I/O time and an amount, and system data.
 * An activity is the time from a job's first to its last read of one file, or from its first to its
 * last write of one file. System data is a table with an interval per row and an amount, such as
 * bytes read, per column. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/csv.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "tools/correlate/sources.h"

enum { JOB, FIRST, LAST, OP, MOUNT, COLUMNS_N };

/* Where to store the data of a CSV file, and the numbers of its columns. -1: the file has no such
 * column. */
struct csv_source {
	struct timed_jobs *jobs;
	struct series *system;
	/* .column[FIRST] and .column[LAST]: the columns with the start and end of a job, an
	 * activity or an interval */
	int column[COLUMNS_N], seconds[FORMS], volumes[VOLUMES];
	/* .amounts[k]: number of the column of the file from which column k of .system is read */
	int *amounts;
	const struct timed_job **by_name;
};

static int read_source(const char *path, int (*read)(struct csv_file *c, struct csv_source *s),
		       struct timed_jobs *jobs, struct series *system)
{
	struct csv_source s = { .jobs = jobs, .system = system };
	struct csv_file c;
	int ret = csv_file_open(&c, path);

	memset(s.column, 0xff, sizeof(s.column));
	memset(s.seconds, 0xff, sizeof(s.seconds));
	memset(s.volumes, 0xff, sizeof(s.volumes));
	if (!ret)
		ret = read(&c, &s);
	free(s.amounts);
	free(s.by_name);
	csv_file_close(&c);
	return ret;
}

/* Finds the columns @names, which ends with NULL. Stores their numbers in s->column. */
static int want_columns(const struct csv_file *c, struct csv_source *s, const char *const *names)
{
	for (int i = 0; names[i]; i++) {
		s->column[i] = csv_file_want(c, names[i]);
		if (s->column[i] < 0)
			return s->column[i];
	}
	return 0;
}

/* FORM_INTERVALS has no column, because it is computed from the activities. */
static void find_io_times(const struct csv_file *c, struct csv_source *s)
{
	for (enum form form = 0; form < FORMS; form++) {
		char *name = need_text("%s_s", form_names[form]);

		s->seconds[form] = form == FORM_INTERVALS ? -1 : csv_find(&c->csv, name);
		free(name);
	}
}

static int take_times(const struct csv_file *c, const struct csv_source *s, double *first,
		      double *last)
{
	int ret = csv_file_want_number(c, s->column[FIRST], first);

	return ret ?: csv_file_want_number(c, s->column[LAST], last);
}

/* Reads the number in @column into *@v. A negative number is an error. If the file lacks the column
 * (-1), changes nothing. */
static int take_positive(const struct csv_file *c, int column, double *v)
{
	int ret = column < 0 ? 0 : csv_file_number(c, column, v);

	if (!ret && column >= 0 && *v < 0)
		ret = csv_file_bad(c, "%s is below 0", c->csv.names[column]);
	return ret;
}

/* With the option --mount, takes only the elapsed time from the file: its I/O times are for all
 * mount points together. */
static int take_values(const struct csv_file *c, const struct csv_source *s, struct timed_job *j)
{
	int ret = 0;

	for (enum form form = 0; !ret && form < FORMS; form++)
		if (form == FORM_RUN || !s->jobs->mounts)
			ret = take_positive(c, s->seconds[form], &j->seconds[form]);
	for (int k = 0; !ret && k < VOLUMES; k++)
		ret = take_positive(c, s->volumes[k], &j->all[k]);
	return ret;
}

static int job_row(struct csv_file *c, void *arg)
{
	const struct csv_source *s = arg;
	const char *name = c->csv.cells[s->column[JOB]];
	double start, end;
	int ret = take_times(c, s, &start, &end);

	if (!ret && end < start)
		ret = csv_file_bad(c, "job '%.40s' ends before it starts", name);
	return ret ?: take_values(c, s, timed_jobs_add(s->jobs, name, start, end));
}

static int read_jobs(struct csv_file *c, struct csv_source *s)
{
	static const char *const names[] = { "job", "t_start_s", "t_end_s", NULL };
	int ret = want_columns(c, s, names);

	find_io_times(c, s);
	for (int k = 0; k < VOLUMES; k++)
		s->volumes[k] = csv_find(&c->csv, volume_names[k]);
	return ret ?: csv_file_each(c, job_row, s);
}

int timed_jobs_read_csv(struct timed_jobs *to, const char *path)
{
	return read_source(path, read_jobs, to, NULL);
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);

	return len > tail && !strcmp(name + len - tail, end);
}

/* Adds a column to the system data. The system data has amounts, so a column of rates is renamed:
 * "read_Bps" becomes "read_bytes", and "opens_per_s" becomes "opens". */
static int add_amount(const struct csv_file *c, struct csv_source *s, int column)
{
	const char *name = c->csv.names[column];
	bool bytes = ends_with(name, "_Bps"), rate = bytes || ends_with(name, "_per_s");
	int len = strlen(name) - (bytes ? strlen("_Bps") : rate ? strlen("_per_s") : 0);
	char *title = need_text("%.*s%s", len, name, bytes ? "_bytes" : "");
	u32 n = s->system->columns_n;
	int ret = 0;

	for (u32 i = 0; i < n && !ret; i++)
		if (!strcmp(s->system->columns[i].name, title))
			ret = csv_file_bad(c, "columns '%.40s' and '%.40s' are the same amount",
					   c->csv.names[s->amounts[i]], name);
	s->amounts = need(reallocarray(s->amounts, n + 1, sizeof(*s->amounts)));
	s->amounts[n] = column;
	series_column(s->system, title, rate);
	free(title);
	return ret;
}

static bool is_amount(const struct csv_source *s, int column)
{
	for (enum form form = 0; form < FORMS; form++)
		if (s->seconds[form] == column)
			return false;
	return column != s->column[JOB] && column != s->column[FIRST] && column != s->column[LAST];
}

static int add_amounts(const struct csv_file *c, struct csv_source *s)
{
	int ret = 0;

	for (int i = 0; i < c->csv.n && !ret; i++)
		if (is_amount(s, i))
			ret = add_amount(c, s, i);
	if (!ret && !s->system->columns_n)
		ret = error(-EINVAL, "'%s' has no column of amounts", c->path);
	return ret;
}

static int take_amounts(const struct csv_file *c, const struct csv_source *s, u32 row)
{
	int ret = 0;

	for (u32 i = 0; i < s->system->columns_n && !ret; i++)
		ret = take_positive(c, s->amounts[i], &s->system->columns[i].values[row]);
	return ret;
}

static int interval_row(struct csv_file *c, void *arg)
{
	const struct csv_source *s = arg;
	double start = NAN, end;
	int ret = csv_file_want_number(c, s->column[LAST], &end);

	if (!ret && s->column[FIRST] >= 0)
		ret = csv_file_want_number(c, s->column[FIRST], &start);
	return ret ?: take_amounts(c, s, series_add(s->system, start, end));
}

static int read_intervals(struct csv_file *c, struct csv_source *s)
{
	int ret;

	s->column[FIRST] = csv_find(&c->csv, "t_start_s");
	s->column[LAST] = csv_file_want(c, "t_end_s");
	if (s->column[LAST] < 0)
		return s->column[LAST];
	ret = add_amounts(c, s);
	return ret ?: csv_file_each(c, interval_row, s) ?: series_finish(s->system, c->path);
}

int series_read_csv(struct series *to, const char *path)
{
	return read_source(path, read_intervals, NULL, to);
}

/* Makes pair k a job that runs during interval k of the system data, from k to k + 1 s. So the
 * amount of the system during the job is the amount of the pair. */
static int pair_row(struct csv_file *c, void *arg)
{
	const struct csv_source *s = arg;
	u32 row = series_add(s->system, s->jobs->n, s->jobs->n + 1);
	char number[16];
	int ret;

	snprintf(number, sizeof(number), "%u", row + 1);
	ret = take_values(c, s,
			  timed_jobs_add(s->jobs,
					 s->column[JOB] < 0 ? number : c->csv.cells[s->column[JOB]],
					 row, row + 1));
	return ret ?: take_amounts(c, s, row);
}

static int read_pairs(struct csv_file *c, struct csv_source *s)
{
	int ret;

	s->column[JOB] = csv_find(&c->csv, "job");
	find_io_times(c, s);
	s->jobs->are_pairs = true;
	ret = add_amounts(c, s);
	if (!ret && c->csv.n == (int)s->system->columns_n + (s->column[JOB] >= 0))
		ret = error(-EINVAL, "'%s' has no column of I/O times, such as io_s", c->path);
	return ret ?: csv_file_each(c, pair_row, s) ?: series_finish(s->system, c->path);
}

int timed_jobs_read_pairs(struct timed_jobs *to, struct series *system, const char *path)
{
	return read_source(path, read_pairs, to, system);
}

static int by_name(const void *a, const void *b)
{
	const struct timed_job *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int take_form(const struct csv_file *c, const char *op, enum form *form)
{
	*form = !strcmp(op, "w") || !strcmp(op, "write") ? FORM_WRITES : FORM_READS;
	if (*form == FORM_READS && strcmp(op, "r") && strcmp(op, "read"))
		return csv_file_bad(c, "op '%.40s' is not 'r' or 'w'", op);
	return 0;
}

static int activity_row(struct csv_file *c, void *arg)
{
	const struct csv_source *s = arg;
	const struct timed_job job = { .name = c->csv.cells[s->column[JOB]] }, **found;
	double first, last;
	enum form form;
	int ret;

	if (s->jobs->mounts && !timed_jobs_mount_counts(s->jobs, c->csv.cells[s->column[MOUNT]]))
		return 0;
	ret = take_times(c, s, &first, &last) ?: take_form(c, c->csv.cells[s->column[OP]], &form);
	if (ret)
		return ret;
	if (last < first)
		return csv_file_bad(c, "the last I/O is before the first");
	found = bsearch(&(const struct timed_job *){ &job }, s->by_name, s->jobs->n, sizeof(*found),
			by_name);
	if (!found)
		return csv_file_bad(c, "there is no job '%.40s'", job.name);
	timed_jobs_activity(s->jobs,
			    (struct activity){ .job = *found - s->jobs->list,
					       .first_s = first,
					       .last_s = last },
			    form, last - first);
	return 0;
}

static int index_jobs(struct csv_source *s)
{
	u32 n = s->jobs->n;

	s->by_name = need(calloc(n + 1, sizeof(*s->by_name)));
	for (u32 i = 0; i < n; i++)
		s->by_name[i] = &s->jobs->list[i];
	qsort(s->by_name, n, sizeof(*s->by_name), by_name);
	for (u32 i = 1; i < n; i++)
		if (!by_name(&s->by_name[i - 1], &s->by_name[i]))
			return error(-EINVAL, "job '%.40s' is there twice", s->by_name[i]->name);
	return 0;
}

static int read_activities(struct csv_file *c, struct csv_source *s)
{
	const char *const names[] = {
		"job", "first_io_s", "last_io_s", "op", s->jobs->mounts ? "mount" : NULL, NULL
	};
	int ret = index_jobs(s) ?: want_columns(c, s, names);

	return ret ?: csv_file_each(c, activity_row, s);
}

int timed_jobs_read_activities(struct timed_jobs *to, const char *path)
{
	return read_source(path, read_activities, to, NULL);
}
