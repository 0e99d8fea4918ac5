// SPDX-License-Identifier: GPL-2.0-or-later
/* shim-cost [LIBRARY]: measures the time that the preloaded library adds to a pread() of a byte in
 * memory, and prints a line of JSON. Executes itself with LIBRARY preloaded, by default
 * build/libiospan.so. Calls of libc's pread() and of the library's pread() alternate. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "bpf/event.h"

#define ROUNDS 1001
#define CALLS 500

typedef ssize_t pread_fn(int fd, void *buf, size_t n, off_t at);

static double per_call_ns(pread_fn *fn, int fd)
{
	struct timespec from, to;
	char byte;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int i = 0; i < CALLS; i++)
		if (fn(fd, &byte, 1, 0) != 1)
			exit(1);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / CALLS;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(double *v, double q)
{
	qsort(v, ROUNDS, sizeof(*v), by_value);
	return v[(int)(q * (ROUNDS - 1))];
}

static u64 area_reads(const struct app_area *area)
{
	u64 n = 0;

	for (int i = 0; i < APP_STRIPES; i++)
		n += area->rows[i][OP_READ].accesses;
	return n;
}

static int measure(void)
{
	pread_fn *bare = dlsym(dlopen("libc.so.6", RTLD_LAZY), "pread");
	double bares[ROUNDS], shims[ROUNDS], costs[ROUNDS];
	int fd = memfd_create("shim-cost", 0), area_fd = atoi(getenv(APP_ENV_FD));
	struct app_area *area;

	area = mmap(NULL, sizeof(*area), PROT_READ, MAP_SHARED, area_fd, 0);
	if (area == MAP_FAILED || !bare || bare == pread)
		return 1;
	if (fd < 0 || write(fd, "", 1) != 1)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		bares[i] = per_call_ns(bare, fd);
		shims[i] = per_call_ns(pread, fd);
		costs[i] = shims[i] - bares[i];
	}
	if (area_reads(area) != ROUNDS * CALLS) {
		fprintf(stderr, "shim-cost: the library did not count\n");
		return 1;
	}
	printf("{\"calls\": %d, \"bare_ns\": %.1f, \"interposed_ns\": %.1f, "
	       "\"cost_ns\": %.1f, \"cost_p25_ns\": %.1f, \"cost_p75_ns\": %.1f}\n",
	       ROUNDS * CALLS, quantile(bares, 0.5), quantile(shims, 0.5), quantile(costs, 0.5),
	       quantile(costs, 0.25), quantile(costs, 0.75));
	return fflush(stdout) || ferror(stdout);
}

int main(int argc, char **argv)
{
	struct app_area *area;
	char number[16];
	int fd;

	if (getenv(APP_ENV_FD))
		return measure();
	fd = memfd_create("area", 0);
	if (fd < 0 || ftruncate(fd, sizeof(*area)))
		return 1;
	area = mmap(NULL, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return 1;
	area->head.magic = APP_MAGIC;
	snprintf(number, sizeof(number), "%d", fd);
	setenv(APP_ENV_FD, number, 1);
	setenv("LD_PRELOAD", argc > 1 ? argv[1] : "build/libiospan.so", 1);
	execv("/proc/self/exe", argv);
	perror("shim-cost");
	return 1;
}
