/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The targets of a load: opened, checked for their size, and filled if new. */
#ifndef IOSPAN_LOAD_TARGET_H
#define IOSPAN_LOAD_TARGET_H

#include "bench/guard/guard.h"
#include "bench/load/verify.h"

/* Lists of targets end with a NULL name. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes; /* used by the load */
};

/* Opens @name, of which the load uses up to @bytes. Returns 0 or -errno; prints the error. */
int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o);
/* Fills target number @number with incompressible data, or with @v with the data that @v expects.
 * Stops at @until_ns (0: no limit) and then reduces t->bytes. Shows its progress on a terminal.
 * Returns 0; -EINTR, not printed, if a signal is pending; else -errno and prints the error. */
int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns);

/* Opens @names (NULL-ended); the load uses @bytes[i] of each. Fills new files, so that reads find
 * data and writes find space; with @v fills all targets. Returns NULL after an error was printed,
 * or if a signal is pending. */
struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v);
void targets_close(struct target *t); /* NULL is ignored */

#endif
