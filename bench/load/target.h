/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a load works on: open, big enough, and filled if it is new. */
#ifndef IOSPAN_TARGET_H
#define IOSPAN_TARGET_H

#include "bench/guard/guard.h"
#include "bench/load/verify.h"

/* Ends with a NULL name. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes; /* that the load uses of it */
};

/* Opens @name, of which up to @bytes will be used. -errno, printed. */
int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o);
/* Writes to all of it, of a number of targets the one with @number; but not beyond @until_ns
 * (0: as long as it takes), then it has less bytes. What is written can be made smaller by
 * nobody, or with @v is what it wants to find. Told on stderr if that is a terminal. -EINTR, not
 * printed: a signal waits to be read. Else -errno, printed. */
int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns);

/* Opens @names (NULL-ended), of each of which the load uses @bytes[i]. What is new is
 * filled, so that reads find data and writes find room; with @v everything is. NULL after
 * an error was printed, or when a signal waits to be read. */
struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v);
void targets_close(struct target *t); /* NULL is fine */

#endif
