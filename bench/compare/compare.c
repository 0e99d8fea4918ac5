// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

struct estimate versus_ratio(const struct versus *v, enum quantity q)
{
	const struct estimate *a = &v->a.of[q], *b = &v->b.of[q];

	return (struct estimate){ a->value / b->value, a->low / b->high, a->high / b->low };
}

enum winner versus_winner(const struct versus *v)
{
	double ratio = versus_ratio(v, QUANTITY_BANDWIDTH).value;

	return ratio > 1 ? WINNER_A : ratio < 1 ? WINNER_B : WINNER_NONE;
}

bool versus_is_real(const struct versus *v)
{
	struct estimate ratio = versus_ratio(v, QUANTITY_BANDWIDTH);

	return ratio.low > 1 || ratio.high < 1;
}

bool versus_has_band(const struct versus *v)
{
	return !isnan(versus_ratio(v, QUANTITY_BANDWIDTH).low);
}

void comparison_add(struct comparison *c, const char *name, const struct workload *w)
{
	struct versus *v;

	c->list = need(reallocarray(c->list, c->n + 1, sizeof(*c->list)));
	v = &c->list[c->n++];
	v->name = name;
	v->a = predict(c->a, w);
	/* what was not told is at A's focal point: B gets the same workload */
	v->b = predict(c->b, &v->a.at);
	if (name)
		c->named = c->n;
}

int comparison_draw(struct comparison *c, unsigned n, uint64_t seed)
{
	struct workload *random;

	c->seed = seed;
	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		const struct range *a = &c->a->axes[p], *b = &c->b->axes[p];

		c->ranges[p] = (struct range){ fmax(a->min, b->min), fmin(a->max, b->max) };
		if (c->ranges[p].min > c->ranges[p].max)
			return error(-EINVAL, "'%s' and '%s' have no value of '%s' in common",
				     c->a->path, c->b->path, parameters[p].option);
	}
	c->ranges[PARAM_DEPTH] = (struct range){ 1, 1 };
	random = workloads_random(c->ranges, fmin(c->a->buffer_bytes, c->b->buffer_bytes), n, seed);
	for (unsigned i = 0; i < n; i++)
		comparison_add(c, NULL, &random[i]);
	free(random);
	return 0;
}
