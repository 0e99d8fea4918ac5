// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/put-programs.h"

static const struct family missed = { FAMILY_COUNTER, "iospan_missed_runs", NULL,
				      "Runs of BPF programs that the kernel skipped." };
static const struct family runs = { FAMILY_COUNTER, "iospan_bpf_runs", NULL,
				    "Runs of BPF programs while BPF statistics were on." };
static const struct family times = { FAMILY_COUNTER, "iospan_bpf_run_seconds", "seconds",
				     "Time of these runs." };

static void put_family(struct openmetrics *o, const struct family *f, const struct measurement *m)
{
	char text[40];

	family_begin(o, f);
	for (unsigned i = 0; i < m->programs_n; i++) {
		const struct program_runs *r = &m->programs[i];

		snprintf(text, sizeof(text), "program=\"%s\"", r->program);
		if (f == &times)
			sample_seconds(o, text, "", r->run_ns);
		else
			sample_count(o, text, "", f == &runs ? r->runs : r->missed);
	}
}

void put_programs(struct openmetrics *o, const struct measurement *m)
{
	put_family(o, &missed, m);
	if (!m->bpf_stats)
		return;
	put_family(o, &runs, m);
	put_family(o, &times, m);
}
