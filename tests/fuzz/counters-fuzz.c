// SPDX-License-Identifier: GPL-2.0-or-later
/* Fuzzes the readers of `iospan characterize`. An input is a log of counters. After a NUL byte, a
 * list of jobs may follow. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tools/characterize/job.h"
#include "tools/characterize/job-result.h"
#include "user/base/out-print.h"

static void show(FILE *f, const struct job *j)
{
	const struct view *views = j->jobs ? jobs_views : job_views;
	const struct made jobs[] = { { "jobs", each_job, j }, {} };
	struct out *doc = job_document(j);
	const struct place all = { .node = doc, .made = j->jobs ? jobs : NULL };

	view_text(f, &all, views);
	view_csv(f, &all, views);
	view_html(f, &all, views);
	out_json(f, doc);
	out_free(doc);
}

static void characterize(char *const *paths, const char *jobs, size_t size)
{
	struct job j = {
		.paths = paths,
		.thresholds = { 0, size },
		.thresholds_n = 2,
		.small = 4096,
		.filter = TRACE_FILTER_ALL,
		.interval_ns = size % 3 ? 0 : 1000,
		.from_ns = size % 5 ? 0 : 7,
		.to_ns = size % 7 ? 0 : 1 << 20,
		.cumulative = size % 2,
		.jobs = jobs,
	};
	FILE *f = fopen("/dev/null", "w");

	if (!job_read(&j)) {
		show(f, &j);
		counters_write(f, &j.of[LAYERS].counters);
	}
	fclose(f);
	job_release(&j);
}

static void write_input(int *fd, char path[64], const unsigned char *data, size_t size)
{
	if (*fd < 0)
		*fd = memfd_create("input", 0);
	if (ftruncate(*fd, 0) || pwrite(*fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const unsigned char *end = memchr(data, 0, size);
	size_t log = end ? (size_t)(end - data) : size;
	char path[64], jobs[64], *paths[] = { path, NULL };
	static int fd = -1, jobs_fd = -1;

	write_input(&fd, path, data, log);
	if (end)
		write_input(&jobs_fd, jobs, end + 1, size - log - 1);
	/* Skips traces, because trace-fuzz.c fuzzes their reader. 0x89 is the first byte of a
	 * trace. */
	if (log && data[0] != 0x89)
		characterize(paths, end ? jobs : NULL, size);
	return 0;
}
