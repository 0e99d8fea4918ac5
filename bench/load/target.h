/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the targets of a load, and fills those that are new files. */
#ifndef IOSPAN_LOAD_TARGET_H
#define IOSPAN_LOAD_TARGET_H

#include "bench/guard/guard.h"
#include "bench/load/verify.h"

/* One target of a load. A list of targets ends with an entry that has the name NULL. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes; /* bytes of the target that the load uses */
};

/* Opens @name, of which the load uses up to @bytes. Returns 0 or -errno; prints the error. */
int target_open(struct target *t, const char *name, u64 bytes, const struct guard_options *o);
/* Fills target number @number with data that cannot be compressed; if @v is not NULL, with data
 * that --verify can check. Stops at the time @until_ns (0: no limit) and then reduces t->bytes to
 * what was filled. Shows its progress on a terminal. Returns 0; -EINTR, not printed, if a signal is
 * pending; else -errno and prints the error. */
int target_fill(struct target *t, u64 number, const struct verify *v, u64 until_ns);

/* Opens the targets @names, a list that ends with NULL. The load uses @bytes[i] of target i. Fills
 * each new file, so that reads find data and writes find space. For --verify (@v is not NULL) fills
 * all targets with data that can be checked. Returns NULL after an error, which it prints, or if a
 * signal is pending. */
struct target *targets_open(char *const *names, const u64 *bytes, const struct guard_options *o,
			    const struct verify *v);
/* Closes all targets of the list and frees it. Does nothing if @t is NULL. */
void targets_close(struct target *t);

#endif
