// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the list of jobs (--jobs), and copies from a log of counters the intervals and servers of
 * each job. A server is a disk or a file system. */
#include "tools/characterize/jobs.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/csv.h"
#include "tools/import/import.h"

enum { JOB, START_NS, START_S, END_NS, END_S, SERVERS, CGROUP };

static const char *name(int column)
{
	static const char *const names[] = { "job",   "start_ns", "start_s", "end_ns",
					     "end_s", "servers",  "cgroup",  NULL };

	return names[column];
}

struct line {
	const char *name, *servers, *cgroup;
	u64 start_ns, end_ns;
};

static const char *take(void *to, int column, const char *cell)
{
	struct line *line = to;

	switch (column) {
	case JOB:
		line->name = cell;
		return *cell ? NULL : "a name";
	case SERVERS:
		line->servers = cell;
		return NULL;
	case CGROUP:
		line->cgroup = cell;
		return NULL;
	case START_NS:
	case END_NS:
		return csv_number(cell, column == START_NS ? &line->start_ns : &line->end_ns);
	}
	return csv_seconds(cell, column == START_S ? &line->start_ns : &line->end_ns);
}

static const char *const wanted[] = { "job", NULL };
static const struct csv_format format = { name, wanted, take };

struct reading_jobs {
	struct csv csv;
	struct job_list *list;
};

static int add(struct import *im, struct job_list *l, const struct line *line)
{
	if (line->start_ns >= line->end_ns)
		return import_refuse(im, "job '%.40s' ends before it starts", line->name);
	if (line->end_ns - line->start_ns < l->least_ns) {
		l->brief++;
		return 0;
	}
	if (l->n == JOBS_MAX)
		return import_refuse(im, "more than %u jobs", JOBS_MAX);
	l->at = need_index(l->at, &l->room, l->n, sizeof(*l->at));
	l->at[l->n++] = (struct job_range){
		.name = need(strdup(line->name)),
		.servers = need(strdup(line->servers ?: "")),
		.cgroup = need(strdup(line->cgroup ?: "")),
		.start_ns = line->start_ns,
		.end_ns = line->end_ns,
	};
	return 0;
}

static int take_line(struct import *im, struct import_file *in, char *text)
{
	struct reading_jobs *r = im->own;
	bool header = !r->csv.n;
	struct line line = {};
	int ret = import_csv_take(im, &r->csv, &format, text, &line);

	if (ret > 0)
		return add(im, r->list, &line);
	if (!ret && header)
		ret = import_csv_either(im, &r->csv, &format, START_NS, START_S);
	return ret || !header ? ret : import_csv_either(im, &r->csv, &format, END_NS, END_S);
}

static const struct importer reader = { .name = "jobs", .quoted = true, .line = take_line };

int jobs_read(struct job_list *l, const char *path)
{
	struct reading_jobs r = { .list = l };
	int ret = import_lines(&reader, &r, path);

	if (!ret && !r.csv.n)
		ret = error(-EINVAL, "%s: it is empty", path);
	csv_release(&r.csv);
	return ret;
}

void jobs_release(struct job_list *l)
{
	for (u32 i = 0; i < l->n; i++) {
		free(l->at[i].name);
		free(l->at[i].servers);
		free(l->at[i].cgroup);
	}
	free(l->at);
}

static int by_server_name(const void *a, const void *b)
{
	return strcmp(((const struct server *)a)->name, ((const struct server *)b)->name);
}

static void *make_server_tree(const struct counters *log)
{
	void *tree = NULL;

	for (u32 i = 0; i < log->servers_n; i++)
		need(tsearch(&log->servers[i], &tree, by_server_name));
	return tree;
}

static void free_nothing(void *node)
{
}

/* Copies intervals of the server @of from the log to the counters @c of a job: at most @n
 * intervals, from interval @first on. */
static void copy_server(struct counters *c, const struct server *of, u64 first, u64 n)
{
	u32 server = counters_server(c, of->name);

	for (u64 i = 0; i < n && first + i < of->n; i++) {
		struct moved *to = counters_make_cell(c, server, i);

		if (to)
			*to = of->cells[first + i];
	}
}

/* Adds the server @name to the counters @c of a job. If @tree, the servers of the log, has no such
 * server, adds a server without I/O, and counts it in result->unknown. */
static void copy_named_server(struct counters *c, void *tree, char *name, u64 first, u64 n,
			      struct jobs_result *result)
{
	struct server key = { .name = name };
	struct server **found = tfind(&key, &tree, by_server_name);

	copy_server(c, found ? *found : &key, first, n);
	result->unknown += !found;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Adds the servers of @job to its counters @c. If the list of jobs names no servers, adds all
 * servers of the log. */
static void copy_servers(struct counters *c, const struct counters *log, void *tree,
			 const struct job_range *job, u64 first, u64 n, struct jobs_result *result)
{
	char *list = need(strdup(job->servers)), *rest = list, *one;
	void *seen = NULL;

	while ((one = strsep(&rest, " ")))
		if (*one && *(char **)need(tsearch(one, &seen, by_string)) == one)
			copy_named_server(c, tree, one, first, n, result);
	for (u32 i = 0; i < log->servers_n && !seen; i++)
		copy_server(c, &log->servers[i], first, n);
	tdestroy(seen, free_nothing);
	free(list);
}

/* Returns the length in ns of @n intervals of @width ns, from interval @first on. The last interval
 * is shorter if the log ends in it. */
static u64 elapsed_of(u64 first, u64 n, u64 width, u64 log_ns)
{
	u64 ns, left = log_ns - first * width;

	return __builtin_mul_overflow(n, width, &ns) || ns > left ? left : ns;
}

/* Copies to @c the intervals and servers of the log @of that belong to @job. Returns false if @job
 * is entirely before or after the log. */
static bool cut_job(struct character *c, const struct character *of, void *tree,
		    const struct job_range *job, struct jobs_result *result)
{
	const struct counters *log = &of->counters;
	u64 width = log->interval_ns, end_ns = log->start_ns, first, n;

	if (__builtin_mul_overflow(log->n, width, &n) || __builtin_add_overflow(end_ns, n, &end_ns))
		end_ns = ~0ULL;
	if (job->end_ns <= log->start_ns || job->start_ns >= end_ns)
		return false;
	first = job->start_ns > log->start_ns ? (job->start_ns - log->start_ns) / width : 0;
	n = job->end_ns < end_ns ? (job->end_ns - log->start_ns - 1) / width + 1 : log->n;
	n -= first;
	counters_init(&c->counters, log->start_ns + first * width, width);
	c->counters.has = log->has;
	copy_servers(&c->counters, log, tree, job, first, n, result);
	c->counters.n = n;
	c->elapsed_ns = elapsed_of(first, n, width, of->elapsed_ns);
	return true;
}

void jobs_each(const struct job_list *l, const struct character *log, struct jobs_result *result,
	       void (*fn)(void *arg, const struct character *c), void *arg)
{
	void *tree = make_server_tree(&log->counters);

	for (u32 i = 0; i < l->n; i++) {
		struct character c = { .layer = l->at[i].name };

		memcpy(c.thresholds, log->thresholds, sizeof(c.thresholds));
		c.thresholds_n = log->thresholds_n;
		if (cut_job(&c, log, tree, &l->at[i], result)) {
			character_finish(&c);
			fn(arg, &c);
			character_release(&c);
		} else {
			result->outside++;
		}
	}
	tdestroy(tree, free_nothing);
}
