// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the reader of a file of jobs or system data by the first bytes of the file. System data
 * is the I/O of a whole system per interval. */
#include "tools/correlate/sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/trace/format.h"
#include "tools/input/prometheus.h"
#include "tools/input/stat-lines.h"

static const struct source {
	const char *name, *begins;
	/* reads the jobs of a file; NULL: the format has no jobs */
	int (*jobs)(struct timed_jobs *to, const char *path);
	/* reads the I/O of a system from a file; NULL: the format has no I/O of a system */
	int (*series)(struct series *to, const char *path);
} sources[] = {
	{ "a trace", TRACE_MAGIC, timed_jobs_read_trace, series_read_trace },
	{ "output of darshan-parser", "# darshan log version", timed_jobs_read_darshan, NULL },
	{ "output of darshan-parser", "# WARNING: ", timed_jobs_read_darshan, NULL },
	{ "output of iospan stat", STAT_LINES_FILE, NULL, series_read_stat },
	{ "an answer of Prometheus", PROMETHEUS_FILE, NULL, series_read_prometheus },
	{ "JSON", "{", NULL, series_read_sysstat },
	{ "output of sacct", "JobID", timed_jobs_read_sacct, NULL },
	{ "CSV", "", timed_jobs_read_csv, series_read_csv },
};

/* Finds the format of the file @path by its first bytes. If the file cannot be read, or is a pipe,
 * which cannot be read twice, prints an error and returns NULL. */
static const struct source *source_of_file(const char *path)
{
	char text[64] = "", *begin = text;
	const struct source *s = sources;
	struct stat st;
	FILE *f;

	if (prometheus_is_url(path)) {
		strcpy(text, PROMETHEUS_FILE);
		path = "-";
	}
	if (!stat(path, &st) && S_ISFIFO(st.st_mode)) {
		error(-ESPIPE, "'%s' is a pipe, which cannot be read twice; write it to a file",
		      path);
		return NULL;
	}
	f = strcmp(path, "-") ? infile_open(path) : stdin;
	if (!f)
		return NULL;
	if (f != stdin) {
		text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
		fclose(f);
	}
	begin += strspn(begin, " \t\r\n");
	while (strncmp(begin, s->begins, strlen(s->begins)))
		s++;
	return s;
}

int sources_read_jobs(struct timed_jobs *to, const char *path)
{
	const struct source *s = source_of_file(path);

	if (s && s->jobs)
		return s->jobs(to, path);
	return s ? error(-EINVAL, "'%s' is %s, which contains no jobs", path, s->name) : -ESPIPE;
}

static int read_series(struct series *to, const char *path)
{
	const struct source *s = source_of_file(path);

	if (s && s->series)
		return s->series(to, path);
	return s ? error(-EINVAL, "'%s' is %s, which contains no I/O of a system", path, s->name) :
		   -ESPIPE;
}

int sources_check_interval(const char *const *paths)
{
	for (const char *const *path = paths; *path; path++) {
		const struct source *s = source_of_file(*path);

		if (!s)
			return -ESPIPE;
		if (s->series == series_read_trace || prometheus_is_url(*path))
			return 0;
	}
	return error(-EUSAGE,
		     "option '--interval' has no effect with '--system %s', which has intervals of "
		     "its own; leave out one of them",
		     *paths);
}

int sources_read_system(struct series *to, const char *const *paths)
{
	struct series_list systems = {};
	int ret = 0;

	for (const char *const *path = paths; !ret && *path; path++) {
		struct series *one = series_list_add(&systems);

		*one = (struct series){ .width_s = to->width_s,
					.from_s = to->from_s,
					.to_s = to->to_s };
		ret = read_series(one, *path);
	}
	return series_list_sum(to, &systems, paths[0], ret);
}

/* Formats with %y (two digits) come before formats with %Y (four digits), because %Y also accepts
 * two digits. */
double sources_time(const char *text)
{
	static const char *const forms[] = {
		"%Y-%m-%dT%H:%M:%S%z",
		"%Y-%m-%dT%H:%M:%S",
		"%m/%d/%y %I:%M:%S %p",
		"%m/%d/%Y %I:%M:%S %p",
		"%m/%d/%y %H:%M:%S",
		"%m/%d/%Y %H:%M:%S",
		"%s",
		NULL,
	};

	for (int i = 0; text && forms[i]; i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);
		long zone = tm.tm_gmtoff;

		if (end && !*end) {
			if (i)
				tm.tm_isdst = -1;
			return i ? mktime(&tm) : timegm(&tm) - zone;
		}
	}
	return NAN;
}
