/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes random sets of intervals. Computes T, the length of their union, in a simple way. Tests
 * compare this T with the result of the code under test, which gets the intervals one by one or in
 * batches. */
#ifndef IOSPAN_TESTS_MADE_SETS_H
#define IOSPAN_TESTS_MADE_SETS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bpf/types.h"
#include "tests/lib/harness.h"

#define MAX_SET 4096
#define SEED 1993

struct interval {
	u64 start, end;
};

/* One event: the start of the interval with index .of, or its end if .leaves is true. The events of
 * a set are in the order in which the code under test gets them. */
struct event {
	u64 at;
	u32 of;
	bool leaves;
};

struct set {
	u32 n;
	u64 length; /* the intervals lie between 0 and this time */
	u64 base;   /* added to all times, to test clocks that do not start at 0 */
	struct interval in[MAX_SET];
	struct event events[2 * MAX_SET];
};

static inline u64 covered_ns(const struct interval *in, u32 n, u64 length)
{
	static char mark[1 << 20];
	u64 sum = 0;

	memset(mark, 0, length);
	for (u32 i = 0; i < n; i++)
		memset(mark + in[i].start, 1, in[i].end - in[i].start);
	for (u64 t = 0; t < length; t++)
		sum += mark[t];
	return sum;
}

static u64 state;

/* xorshift64*: fast, and the same numbers on all machines. */
static u32 below(u32 n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (u32)(state * 0x2545f4914f6cdd1dULL >> 32) % n;
}

static struct interval random_interval(u64 length)
{
	u64 a = below(length + 1);
	u64 b = below(4) ? a + below(1 + length / 8) : a + below(length - a + 1);

	return (struct interval){ a, b < length ? b : length };
}

/* Makes an interval that often touches, repeats or lies in an earlier one, or has length 0. */
static struct interval next_interval(const struct set *s)
{
	struct interval it = random_interval(s->length);
	struct interval old = s->n ? s->in[below(s->n)] : it;

	switch (below(10)) {
	case 0:
		return old;
	case 1:
		return (struct interval){ old.end, it.end > old.end ? it.end : old.end };
	case 2:
		return (struct interval){ it.start < old.start ? it.start : old.start, old.start };
	case 3:
		return (struct interval){ it.start, it.start };
	case 4:
		return (struct interval){ old.start, old.start + (old.end - old.start) / 2 };
	}
	return it;
}

static void set_make(struct set *s, u32 round)
{
	const u64 bases[] = { 0, 1000000007, (1ULL << 44) - 40, 5 * (1ULL << 44) - 1,
			      1700000000000000000 };
	bool large = round % 5000 == 0;
	u32 n = large ? 500 + below(MAX_SET - 500) : 1 + below(7);

	s->length = large ? 1 + below(1 << 20) : 1 + below(40);
	s->base = bases[below(5)];
	for (s->n = 0; s->n < n; s->n++)
		s->in[s->n] = next_interval(s);
}

static inline int by_end(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return x->end < y->end ? -1 : x->end > y->end;
}

/* Sorts the intervals by their end, and then makes @swaps random swaps, because accesses in a trace
 * are only almost sorted. */
static inline void arrange(struct set *s, u32 swaps)
{
	qsort(s->in, s->n, sizeof(*s->in), by_end);
	for (; swaps; swaps--) {
		u32 a = below(s->n), b = below(8) ? (a + 1) % s->n : below(s->n);
		struct interval t = s->in[a];

		s->in[a] = s->in[b];
		s->in[b] = t;
	}
}

/* Returns the earliest start of the intervals from index @from on. */
static inline u64 bound(const struct set *s, u32 from)
{
	u64 least = ~0ULL;

	for (; from < s->n; from++)
		if (s->in[from].start < least)
			least = s->in[from].start;
	return least;
}

/* Calls @holds for large random sets. @holds returns true if the set passes the test. @step is a
 * random number of intervals in a batch. */
static inline void check_large(u32 rounds, bool (*holds)(const struct set *s, u32 step))
{
	static struct set s;

	state = SEED + 1;
	for (u32 round = 0; round < rounds; round++) {
		set_make(&s, 5000 * round);
		arrange(&s, below(s.n));
		ASSERT_TRUE(holds(&s, 1 + below(500)));
	}
}

static u32 read_set(const char *name, struct set *s)
{
	char path[256], line[256];
	struct interval it;
	FILE *f;

	snprintf(path, sizeof(path), "tests/data/intervals/%s.csv", name);
	f = fopen(path, "r");
	ASSERT_TRUE(f != NULL);
	s->n = 0;
	s->base = ~0ULL;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lu,%lu,", &it.start, &it.end) == 2 && s->n < MAX_SET)
			s->in[s->n++] = it;
	fclose(f);
	for (u32 i = 0; i < s->n; i++)
		if (s->in[i].start < s->base)
			s->base = s->in[i].start;
	for (u32 i = 0; i < s->n; i++) {
		s->in[i].start -= s->base;
		s->in[i].end -= s->base;
	}
	return s->n;
}

/* Checks @union_of(), the code under test, with the sets in tests/data. For each set, @union_of()
 * must return the T that the file gives. */
static inline void check_vectors(u64 (*union_of)(struct set *s))
{
	static struct set s;
	FILE *f = fopen("tests/data/intervals_expected.csv", "r");
	char line[1024], name[64];
	u64 t, n, cases = 0;

	ASSERT_TRUE(f != NULL);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63[^,],%lu,%*[^,],%*[^,],%lu,", name, &n, &t) != 3)
			continue;
		printf("%s\n", name);
		ASSERT_EQ(read_set(name, &s), n);
		EXPECT_EQ(union_of(&s), t);
		cases++;
	}
	fclose(f);
	EXPECT_EQ(cases, 22);
}

#endif
