/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures a container, unit or process that already runs. */
#ifndef IOSPAN_SESSION_ATTACHED_H
#define IOSPAN_SESSION_ATTACHED_H

#include "user/session/measured.h"

struct attached_opts {
	/* patterns of the cgroup or process to measure; the caller sets at most one of them */
	const char *cgroup, *process;
	uint64_t time_ns; /* duration; 0: until a signal arrives or the target ends */
};

static inline bool attached_is_asked(const struct attached_opts *o)
{
	return o->cgroup || o->process;
}

/* Finds the cgroup or process, and measures it. Stops after o->time_ns, at a signal, or when the
 * cgroup or process no longer exists. Stores the result in m->report. Call measured_prepare()
 * before, and measured_end() afterwards. Returns 0 or -errno; prints the error. */
int attached_run(struct measured *m, const struct attached_opts *o, const char *name);

/* Returns true if a cgroup at or below the directory @root matches the pattern @wanted. */
bool attached_has_group(const char *root, const char *wanted);

/* Returns true if a running process, other than iospan, matches the pattern @wanted. */
bool attached_has_process(const char *wanted);

#endif
