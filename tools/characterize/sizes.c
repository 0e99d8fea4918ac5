// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/sizes.h"

#include <math.h>
#include <stddef.h>

void sizes_add(struct sizes *s, u64 bytes, u64 small)
{
	if (!s->requests || bytes < s->least)
		s->least = bytes;
	if (bytes > s->most)
		s->most = bytes;
	s->requests++;
	s->bytes += bytes;
	if (bytes < small) {
		s->small++;
		s->small_bytes += bytes;
	}
	s->classes[bytes ? 64 - __builtin_clzll(bytes) : 0]++;
	census_add(&s->census, bytes);
}

void sizes_release(struct sizes *s)
{
	census_release(&s->census);
}

u64 sizes_class_floor(u32 class)
{
	return class ? 1ULL << (class - 1) : 0;
}

double sizes_commonest_fraction(const struct sizes *s)
{
	struct counted top;

	return census_top(&s->census, &top, 1) ? (double)top.count / s->requests : NAN;
}

const char *sizes_word(const struct sizes *s)
{
	double fraction = sizes_commonest_fraction(s);

	if (isnan(fraction))
		return NULL;
	return fraction == 1 ? "fixed" : fraction >= SIZES_NEARLY ? "nearly fixed" : "variable";
}
