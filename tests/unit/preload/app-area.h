/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs programs with the preloaded library (libiospan.so), and reads its counters from an app area:
 * the memory in which the library counts the program's calls, as under `iospan run`. */
#ifndef IOSPAN_TESTS_PRELOAD_AREA_H
#define IOSPAN_TESTS_PRELOAD_AREA_H

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "bpf/event.h"
#include "tests/lib/harness.h"

/* Programs inherit the app area by this descriptor. They use only lower descriptor numbers. */
#define AREA_FD 700

static struct app_area *area;

static inline void area_new(void)
{
	int fd = memfd_create("area", 0);

	ASSERT_GE(fd, 0);
	ASSERT_EQ(ftruncate(fd, sizeof(*area)), 0);
	ASSERT_EQ(dup2(fd, AREA_FD), AREA_FD);
	close(fd);
	area = mmap(NULL, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, AREA_FD, 0);
	ASSERT_TRUE(area != MAP_FAILED);
	area->head.magic = APP_MAGIC;
}

/* Starts the program @program in the scratch directory. @program is an absolute path, or a path
 * relative to the folder with the built unit tests. */
static inline pid_t area_start(const char *program, const char *mode)
{
	char preload[PATH_MAX], path[PATH_MAX], fd[16], pid[16];
	pid_t child;

	snprintf(preload, sizeof(preload), "%s/libiospan.so", build_dir());
	snprintf(path, sizeof(path), *program == '/' ? "%.0s%s" : "%s/tests/unit/%s", build_dir(),
		 program);
	snprintf(fd, sizeof(fd), "%d", AREA_FD);
	snprintf(pid, sizeof(pid), "%d", getpid());
	ASSERT_EQ(chdir(scratch_dir()), 0);
	child = fork();
	ASSERT_GE(child, 0);
	if (child)
		return child;
	setenv("LD_PRELOAD", preload, 1);
	setenv(APP_ENV_FD, fd, 1);
	setenv(APP_ENV_PID, pid, 1);
	execl(path, path, mode, NULL);
	perror(path);
	_exit(127);
}

static inline int area_wait(pid_t child)
{
	int status;

	ASSERT_EQ(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline u64 area_in_flight(enum app_span i)
{
	return span_count(area->spans[i].word);
}

static inline void area_expect_idle(void)
{
	for (int i = 0; i < APP_SPANS; i++)
		EXPECT_EQ(area_in_flight(i), 0);
	for (int i = 0; i < APP_THREADS; i++)
		EXPECT_EQ(area->threads[i].stage, APP_IDLE);
}

/* Runs a program, which must exit with 0 and leave no access in flight. */
static inline void area_run(const char *program, const char *mode)
{
	area_new();
	ASSERT_EQ(area_wait(area_start(program, mode)), 0);
	area_expect_idle();
}

enum { READS, WRITES, SYNCS };

static inline struct row area_sum(int op)
{
	struct row sum = { 0 };

	for (int i = 0; i < APP_STRIPES; i++) {
		const struct row *r = &area->rows[i][op];

		sum.accesses += r->accesses;
		sum.bytes += r->bytes;
		sum.errors += r->errors;
		sum.timed += r->timed;
		sum.latency_ns += r->latency_ns;
		if (r->max_ns > sum.max_ns)
			sum.max_ns = r->max_ns;
		for (int b = 0; b < HIST_BUCKETS; b++)
			sum.hist[b] += r->hist[b];
	}
	return sum;
}

#define EXPECT_ROW(op, n, n_bytes, n_errors) \
	do { \
		EXPECT_EQ(area_sum(op).accesses, n); \
		EXPECT_EQ(area_sum(op).bytes, n_bytes); \
		EXPECT_EQ(area_sum(op).errors, n_errors); \
	} while (0)

static inline u64 area_time(enum app_span i)
{
	return span_time_ns(area->spans[i].word, 0);
}

#endif
