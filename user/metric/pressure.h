/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times for which tasks of a cgroup, or of the machine, waited, as the kernel counts them. There
 * are two kinds: I/O pressure (PSI), and dirty throttling (the kernel pauses a task that writes
 * faster than the disks). All times are in ns. */
#ifndef IOSPAN_METRIC_PRESSURE_H
#define IOSPAN_METRIC_PRESSURE_H

#include <stdbool.h>

#include "bpf/types.h"
#include "user/base/out.h"

struct pressure {
	/* .some_ns: time in which at least one task waited for I/O. .full_ns: time in which at
	 * least one task waited for I/O, and no task ran. */
	u64 some_ns, full_ns;
	u64 dirty_ns;	/* time in which at least one task is paused by dirty throttling */
	bool has_psi;	/* false: .some_ns and .full_ns are not known */
	bool has_dirty; /* false: .dirty_ns is not known */
};

#define KEY_PRESSURE "pressure"
#define KEY_PSI_SOME "psi_some_ns"
#define KEY_PSI_FULL "psi_full_ns"
#define KEY_DIRTY "dirty_throttled_ns"

/* Returns @now minus @before, an earlier state of the same pressure. A time is unknown in the
 * result in two cases: it is unknown in @now or @before, or it is smaller in @now than in
 * @before. */
struct pressure pressure_since(const struct pressure *now, const struct pressure *before);

/* Returns true if at least one time of @p is known and not 0. */
bool pressure_is_some(const struct pressure *p);

/* Adds an object with the times of @p to the JSON object @o, at the key KEY_PRESSURE. Unknown times
 * are null. */
void pressure_json(struct out *o, const struct pressure *p);

#endif
