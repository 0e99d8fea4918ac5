// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures the time that an access needs to update its span, in ns per access (enter and leave). A
 * span is a 64-bit word with the number of accesses in flight and T, the time in which this number
 * is above 0. In some cases, all CPUs update one shared span. In the others, each CPU updates a
 * span of its own. If the CPU's span gets busy (the number changes from 0 to 1) or idle, the shared
 * span is updated, too. Runs the code of the BPF programs (bpf/span-word.h), without the clock, in
 * a thread per CPU. The cases run in turns. Prints medians as JSON. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "bpf/span-word.h"

#define ROUNDS 101
#define ACCESSES 20000
#define THREADS 64

static struct span shared, own[THREADS];
static pthread_barrier_t start;

static void turn(struct span *below, u64 now, bool busy)
{
	if (busy && span_enter(below, now) == SPAN_TRANSITION)
		span_enter(&shared, now);
	else if (!busy && span_leave(below, now) == SPAN_TRANSITION)
		span_leave(&shared, now);
}

/* All threads count their accesses in the shared span. */
static void share(u32 thread)
{
	for (u64 i = 1; i <= ACCESSES; i++) {
		if (!span_enter_busy(&shared))
			span_enter(&shared, i);
		if (!span_leave_busy(&shared, i))
			span_leave(&shared, i);
	}
}

/* Each thread has a span of its own, in which another access is always in flight. So the measured
 * accesses do not change the shared span. */
static void deep(u32 thread)
{
	struct span *s = &own[thread];

	turn(s, 0, true);
	for (u64 i = 1; i <= ACCESSES; i++) {
		if (!span_enter_busy(s))
			turn(s, i, true);
		if (!span_leave_busy(s, i))
			turn(s, i, false);
	}
	turn(s, ACCESSES, false);
}

/* Each thread has a span of its own. Each access makes the thread's span busy, then idle, and so
 * changes the shared span twice. */
static void alone(u32 thread)
{
	for (u64 i = 1; i <= ACCESSES; i++) {
		turn(&own[thread], i, true);
		turn(&own[thread], i, false);
	}
}

static struct test {
	const char *name;
	void (*run)(u32 thread);
	bool all; /* true if the case runs on all CPUs at once, false if on one CPU */
	double ns[ROUNDS];
} tests[] = {
	{ "one_cpu_shared_word", share, false, {} },
	{ "all_cpus_shared_word", share, true, {} },
	{ "all_cpus_own_words_deep", deep, true, {} },
	{ "all_cpus_own_words_alone", alone, true, {} },
};
#define TESTS (sizeof(tests) / sizeof(*tests))

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *thread(void *arg)
{
	u32 number = (size_t)arg;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(number, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	for (u32 i = 0; i < ROUNDS * TESTS; i++) {
		struct test *t = &tests[i % TESTS];
		double from;

		pthread_barrier_wait(&start);
		from = now_ns();
		if (t->all || !number)
			t->run(number);
		if (!number)
			t->ns[i / TESTS] = (now_ns() - from) / ACCESSES;
	}
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	pthread_t threads[THREADS];
	cpu_set_t cpus;
	u32 n;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	n = CPU_COUNT(&cpus) < THREADS ? CPU_COUNT(&cpus) : THREADS;
	pthread_barrier_init(&start, NULL, n);
	span_enter(&shared, 0); /* the shared span always has another access in flight */
	for (size_t i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)i))
			return 1;
	for (u32 i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("{\"cpus\": %u", n);
	for (size_t i = 0; i < TESTS; i++) {
		qsort(tests[i].ns, ROUNDS, sizeof(double), by_value);
		printf(", \"%s_ns\": %.1f", tests[i].name, tests[i].ns[ROUNDS / 2]);
	}
	printf("}\n");
	return fflush(stdout) || ferror(stdout);
}
