// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/issuers.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"

/* A run is a time in which a process issues accesses without a pause. */
struct issuer {
	u64 run_start_ns; /* start of the current run; unused if .known is false */
	u64 end_ns;	  /* latest end of an access */
	bool known;	  /* the process has had an access */
};

static void end_run(struct issuers *s, const struct issuer *i)
{
	cover_add(&s->issuing, i->run_start_ns, i->end_ns);
	s->issuing_ns += i->end_ns - i->run_start_ns;
}

void issuers_add(struct issuers *s, u32 process, u64 start_ns, u64 end_ns)
{
	struct issuer *i;

	s->of = need_index(s->of, &s->n, process, sizeof(*s->of));
	i = &s->of[process];
	if (end_ns < start_ns)
		end_ns = start_ns;
	if (i->known && start_ns > i->end_ns && start_ns - i->end_ns > s->pause_ns) {
		end_run(s, i);
		i->known = false;
	}
	if (!i->known)
		*i = (struct issuer){ start_ns, start_ns, true };
	s->flight_ns += end_ns - start_ns;
	if (end_ns <= i->end_ns)
		return;
	s->busy_ns += end_ns - (start_ns > i->end_ns ? start_ns : i->end_ns);
	i->end_ns = end_ns;
}

void issuers_finish(struct issuers *s)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->of[i].known)
			end_run(s, &s->of[i]);
}

void issuers_release(struct issuers *s)
{
	free(s->of);
	cover_release(&s->issuing);
}

double issuers_processes(const struct issuers *s)
{
	u64 any_ns = cover_total_ns(&s->issuing);

	return any_ns ? (double)s->issuing_ns / any_ns : NAN;
}

double issuers_depth(const struct issuers *s)
{
	return s->busy_ns ? (double)s->flight_ns / s->busy_ns : NAN;
}
