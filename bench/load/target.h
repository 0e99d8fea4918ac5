/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the targets of a load, and fills new files with data. */
#ifndef IOSPAN_LOAD_TARGET_H
#define IOSPAN_LOAD_TARGET_H

#include "bench/guard/guard.h"
#include "bench/load/verify.h"

/* A list of targets ends with .name NULL. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes; /* the load uses this many bytes of the target, from its start */
};

/* Opens @name, of which the load uses at most @bytes. Returns 0 or -errno; prints the error. */
int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o);
/* Fills target @number with data that cannot be compressed, and that --verify can check if @v. At
 * @until_ns (0: no limit) stops and reduces t->bytes. Returns 0; -EINTR without a message after a
 * signal; else -errno, printed. */
int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns);

/* Opens @names (ends with NULL), using @bytes[i] of each. Fills new files, so that reads find data
 * and writes find space; fills all if @v (--verify). Returns NULL after a signal, or an error,
 * printed. */
struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v);
/* Closes all targets of the list and frees it. Does nothing if @t is NULL. */
void targets_close(struct target *t);

#endif
