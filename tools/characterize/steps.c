// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/steps.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"

#define WALKS_MAX (1U << 26)

struct walk {
	u64 begin, end; /* of the latest request */
	u64 distance;	/* of that from the one before; modulo 2^64 */
	enum { WALK_NEW, WALK_BEGUN, WALK_ON } state;
	bool random; /* so its step is thought to be */
};

static struct walk *walk_of(struct steps *s, u64 key)
{
	u32 i = keys_number(&s->keys, key, WALKS_MAX);

	s->walks = need_index(s->walks, &s->room, i, sizeof(*s->walks));
	return &s->walks[i];
}

/* The step before began the stride, which nobody could see then. */
static void take_back(struct steps *s, struct walk *w, enum direction d)
{
	s->of[d][STEP_RANDOM]--;
	s->of[d][STEP_STRIDED]++;
	census_add(&s->strides[d], w->distance);
}

static void step(struct steps *s, struct walk *w, enum direction d, u64 offset)
{
	u64 distance = offset - w->begin;
	enum step kind = STEP_RANDOM;

	if (offset == w->end) {
		kind = STEP_SEQUENTIAL;
	} else if (w->state == WALK_ON && distance == w->distance) {
		kind = STEP_STRIDED;
		census_add(&s->strides[d], distance);
		if (w->random)
			take_back(s, w, d);
	}
	s->of[d][kind]++;
	w->random = kind == STEP_RANDOM;
	w->distance = distance;
	w->state = WALK_ON;
}

void steps_add(struct steps *s, u64 key, enum direction d, u64 offset, u64 bytes)
{
	struct walk *w = walk_of(s, key);

	if (w->state == WALK_NEW)
		w->state = WALK_BEGUN;
	else
		step(s, w, d, offset);
	w->begin = offset;
	w->end = offset + bytes;
}

void steps_release(struct steps *s)
{
	keys_release(&s->keys);
	free(s->walks);
	for (int d = 0; d < DIR_BOTH; d++)
		census_release(&s->strides[d]);
}

static u64 count(const struct steps *s, enum direction d, enum step kind)
{
	if (d == DIR_BOTH)
		return s->of[DIR_READ][kind] + s->of[DIR_WRITE][kind];
	return s->of[d][kind];
}

double steps_share(const struct steps *s, enum direction d, enum step kind)
{
	u64 all = 0;

	for (int i = 0; i < STEP_KINDS; i++)
		all += count(s, d, i);
	return all ? (double)count(s, d, kind) / all : NAN;
}

const char *steps_word(const struct steps *s, enum direction d)
{
	static const char *const words[] = { "sequential", "strided", "random" };
	int most = 0;

	for (int i = 1; i < STEP_KINDS; i++)
		if (count(s, d, i) > count(s, d, most))
			most = i;
	return count(s, d, most) ? words[most] : NULL;
}
