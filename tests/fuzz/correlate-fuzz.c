// SPDX-License-Identifier: GPL-2.0-or-later
/* Fuzzes the readers of `iospan correlate`. An input has three parts, with a NUL byte between them:
 * a list of jobs (darshan-parser, CSV), a log of the system (iostat, iospan stat, CSV), and a list
 * of the jobs' files. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tools/correlate/correlate.h"
#include "tools/correlate/correlate-result.h"
#include "tools/correlate/sources.h"

enum { JOBS, SYSTEM, FILES, PARTS };

/* Returns true if the data start like a trace. This program skips traces, because trace-fuzz.c
 * fuzzes their reader. */
static int is_trace(const unsigned char *data, size_t size)
{
	return size && data[0] == 0x89;
}

static void write_input(int part, char path[64], const unsigned char *data, size_t size)
{
	static int fds[PARTS] = { -1, -1, -1 };
	int *fd = &fds[part];

	if (*fd < 0)
		*fd = memfd_create("input", 0);
	if (ftruncate(*fd, 0) || pwrite(*fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

static void correlate_inputs(const struct timed_jobs *jobs, const struct series *system,
			     size_t size)
{
	const struct correlate_options how = {
		.how = { .permutations = 3, .bins = size % 3, .seed = 1, .sample = 10 },
		.form = FORMS,
		.rates = size % 2,
		.active = size % 5 && jobs->activities_n,
		.granularity = 3,
		.trees = 3,
		.points = 2,
	};
	struct correlation_study c = {};
	FILE *f = fopen("/dev/null", "w");

	if (!correlate_jobs(&c, &how, jobs, system)) {
		struct out *doc = correlate_document(&c);

		view_text(f, &(const struct place){ .node = doc }, correlate_views);
		out_free(doc);
	}
	fclose(f);
	correlation_study_release(&c);
}

static void correlate(char paths[PARTS][64], int parts, size_t size)
{
	struct series system = { .width_s = 1 };
	struct timed_jobs jobs = { .mounts = size % 2 ? "/scratch" : NULL };
	const char *const systems[] = { paths[SYSTEM], NULL };
	int ret = sources_read_jobs(&jobs, paths[JOBS]);

	if (!ret && parts > FILES)
		ret = timed_jobs_read_activities(&jobs, paths[FILES]);
	if (parts > SYSTEM && !sources_read_system(&system, systems) && !ret) {
		timed_jobs_finish(&jobs);
		correlate_inputs(&jobs, &system, size);
	}
	series_release(&system);
	timed_jobs_release(&jobs);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char paths[PARTS][64];
	size_t all = size;
	int parts = 0;

	while (parts < PARTS) {
		const unsigned char *end = memchr(data, 0, size);
		size_t n = end ? (size_t)(end - data) : size;

		if (is_trace(data, n))
			return 0;
		write_input(parts, paths[parts], data, n);
		parts++;
		if (!end)
			break;
		data = end + 1;
		size -= n + 1;
	}
	correlate(paths, parts, all);
	return 0;
}
