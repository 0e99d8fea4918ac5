// SPDX-License-Identifier: GPL-2.0-or-later
/* The 21 criteria of El Sayed, Bolten, Pleiter and Frings (2016). The paper defines only 1.1 and
 * 1.2 (sums over request lengths), and 2.9 and 3.1 (see burst.h). The paper names the other
 * criteria without a definition. Their definitions are iospan's own; see iospan-characterize(1).
 * Similar definitions of other tools and papers:
 *
 * 1.3, 1.4        rate per elapsed time; while busy: rate per T, as BPS of He, Sun and Yin 2013
 * 2.1             Darshan counters POSIX_SIZE_*
 * 2.2, 2.5        Drishti: small is below 1 MiB; imbalance is above 10 %
 * 2.3             Darshan counters POSIX_ACCESS1 to 4
 * 2.6             Darshan: unique and shared files
 * 2.7             Darshan counters CONSEC, SEQ and STRIDE1 to 4
 * 3.2             btt -Q, aqu-sz of iostat
 * 3.4             Recorder: conflict detector */
#include "tools/characterize/criteria.h"

double criteria_bytes(character *c, enum direction d, u32 t)
{
	return moved_bytes(&c->course.total, d);
}

double criteria_operations(character *c, enum direction d, u32 t)
{
	return moved_operations(&c->course.total, d);
}

double criteria_span_ns(character *c, enum direction d)
{
	return c->requests ? cover_total_ns(&c->requests->busy[d]) : NAN;
}

struct shared criteria_shared(character *c)
{
	return c->requests ? sharing_sum(&c->requests->sharing) : (struct shared){};
}

double criteria_files(character *c, enum direction d, u32 t)
{
	struct shared s = criteria_shared(c);

	return s.files[DIR_BOTH] ? s.files[d] : NAN;
}

double criteria_files_of(character *c, enum direction d, u32 member)
{
	struct shared s = criteria_shared(c);

	if (d != DIR_BOTH || !s.files[DIR_BOTH])
		return NAN;
	return *(const u64 *)((const char *)&s + member);
}

void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold))
{
	static const struct criterion *const parts[] = {
		criteria_amounts,
		criteria_patterns,
		criteria_parallel,
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (const struct criterion *what = parts[i]; what->key; what++)
			for (u32 t = 0; t < (what->by_threshold ? c->thresholds_n : 1); t++)
				row(to, c, what, t);
}
