// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/census.h"

#include <stdlib.h>

#include "user/base/need.h"

void census_add(struct census *c, u64 value)
{
	u32 i = keys_number(&c->values, value, CENSUS_VALUES);

	if (i == CENSUS_VALUES) {
		c->others++;
		return;
	}
	c->counts = need_index(c->counts, &c->room, i, sizeof(*c->counts));
	c->counts[i]++;
}

void census_release(struct census *c)
{
	keys_release(&c->values);
	free(c->counts);
}

static bool comes_before(const struct counted *a, const struct counted *b)
{
	return a->count > b->count || (a->count == b->count && a->value < b->value);
}

u32 census_top(const struct census *c, struct counted *top, u32 n)
{
	u32 found = 0;

	for (u32 i = 0; i < c->values.n; i++) {
		struct counted one = { c->values.of[i], c->counts[i] };
		u32 at = found;

		while (at && comes_before(&one, &top[at - 1]))
			at--;
		if (at == n)
			continue;
		found += found < n;
		for (u32 k = found - 1; k > at; k--)
			top[k] = top[k - 1];
		top[at] = one;
	}
	return found;
}
