// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/put-waiting.h"

#include <stddef.h>

static const struct waited {
	struct family family;
	/* offsets in struct pressure: .ns is for a time, .known for the bool that is true if the
	 * time is known */
	size_t ns, known;
} machine_families[] = {
	{ { FAMILY_COUNTER, "iospan_psi_some_seconds", "seconds",
	    "PSI: time in which a task of the machine waited for I/O." },
	  offsetof(struct pressure, some_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_psi_full_seconds", "seconds",
	    "PSI: time in which a task waited for I/O and no task ran." },
	  offsetof(struct pressure, full_ns),
	  offsetof(struct pressure, has_psi) },
}, group_families[] = {
	{ { FAMILY_COUNTER, "iospan_cgroup_psi_some_seconds", "seconds",
	    "PSI: time in which a task of a cgroup waited for I/O, since the cgroup was made." },
	  offsetof(struct pressure, some_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_cgroup_psi_full_seconds", "seconds",
	    "PSI: time in which a task of a cgroup waited for I/O and no task of it ran." },
	  offsetof(struct pressure, full_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_cgroup_dirty_throttled_seconds", "seconds",
	    "Time in which dirty throttling paused a task of a cgroup." },
	  offsetof(struct pressure, dirty_ns),
	  offsetof(struct pressure, has_dirty) },
};
static const struct family wait_span = {
	FAMILY_COUNTER, "iospan_cgroup_wait_span_seconds", "seconds",
	"W: time with at least one read, write or sync call of a cgroup in flight."
};
#define FAMILIES(list) (sizeof(list) / sizeof(*(list)))

static void put_one(struct openmetrics *o, const struct waited *w, const char *labels,
		    const struct pressure *p)
{
	if (*(const bool *)((const char *)p + w->known))
		sample_seconds(o, labels, "", *(const u64 *)((const char *)p + w->ns));
}

void put_waiting(struct openmetrics *o, const struct exported_groups *groups,
		 const struct pressure *machine)
{
	for (size_t i = 0; i < FAMILIES(machine_families); i++) {
		family_begin(o, &machine_families[i].family);
		put_one(o, &machine_families[i], "", machine);
	}
	for (size_t i = 0; i < FAMILIES(group_families); i++) {
		family_begin(o, &group_families[i].family);
		for (size_t n = 0; n < groups->n; n++)
			if (!groups->all[n].folded)
				put_one(o, &group_families[i], groups->all[n].labels,
					&groups->all[n].pressure);
	}
	family_begin(o, &wait_span);
	for (size_t n = 0; n < groups->n; n++)
		if (!groups->all[n].folded && groups->all[n].wait_ns)
			sample_seconds(o, groups->all[n].labels, "layer=\"vfs\"",
				       groups->all[n].wait_ns);
}

unsigned waiting_series(const struct exported_group *g)
{
	return 2 * g->pressure.has_psi + g->pressure.has_dirty + (g->wait_ns > 0);
}
