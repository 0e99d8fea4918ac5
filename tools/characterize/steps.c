// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts sequential, strided and random steps. A walk is the sequence of reads, or of writes, of
 * one process in one file. A step is the change of the offset from one request to the next. */
#include "tools/characterize/steps.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"

#define WALKS_MAX (1U << 26)

struct walk {
	u64 start, end; /* byte offsets where the last request starts and ends */
	u64 distance;	/* distance between the starts of the last two requests, modulo 2^64 */
	enum { WALK_NEW, WALK_STARTED, WALK_STEPPED } state;
	bool random; /* true if the last step was counted as random */
};

static struct walk *walk_of(struct steps *s, u64 key)
{
	u32 i = keys_number(&s->keys, key, WALKS_MAX);

	s->walks = need_index(s->walks, &s->room, i, sizeof(*s->walks));
	return &s->walks[i];
}

/* Changes the count of the previous step from random to strided. The current step has the same
 * distance, so both steps are strided. */
static void recount_as_strided(struct steps *s, struct walk *w, enum direction d)
{
	s->of[d][STEP_RANDOM]--;
	s->of[d][STEP_STRIDED]++;
	census_add(&s->strides[d], w->distance);
}

static void add_step(struct steps *s, struct walk *w, enum direction d, u64 offset)
{
	u64 distance = offset - w->start;
	enum step kind = STEP_RANDOM;

	if (offset == w->end) {
		kind = STEP_SEQUENTIAL;
	} else if (w->state == WALK_STEPPED && distance == w->distance) {
		kind = STEP_STRIDED;
		census_add(&s->strides[d], distance);
		if (w->random)
			recount_as_strided(s, w, d);
	}
	s->of[d][kind]++;
	w->random = kind == STEP_RANDOM;
	w->distance = distance;
	w->state = WALK_STEPPED;
}

void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes)
{
	struct walk *w = walk_of(s, key);

	if (w->state == WALK_NEW)
		w->state = WALK_STARTED;
	else
		add_step(s, w, d, offset);
	w->start = offset;
	w->end = offset + bytes;
}

void steps_release(struct steps *s)
{
	keys_release(&s->keys);
	free(s->walks);
	for (int d = 0; d < DIR_BOTH; d++)
		census_release(&s->strides[d]);
}

static u64 steps_count(const struct steps *s, enum direction d, enum step kind)
{
	if (d == DIR_BOTH)
		return s->of[DIR_READ][kind] + s->of[DIR_WRITE][kind];
	return s->of[d][kind];
}

double steps_fraction(const struct steps *s, enum direction d, enum step kind)
{
	u64 all = 0;

	for (int i = 0; i < STEP_KINDS; i++)
		all += steps_count(s, d, i);
	return all ? (double)steps_count(s, d, kind) / all : NAN;
}

const char *steps_word(const struct steps *s, enum direction d)
{
	static const char *const words[] = { "sequential", "strided", "random" };
	int most = 0;

	for (int i = 1; i < STEP_KINDS; i++)
		if (steps_count(s, d, i) > steps_count(s, d, most))
			most = i;
	return steps_count(s, d, most) ? words[most] : NULL;
}
