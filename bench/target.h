/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a load works on: open, big enough, and filled if it is new. */
#ifndef IOSPAN_TARGET_H
#define IOSPAN_TARGET_H

#include "guard.h"
#include "verify.h"

/* Ends with a NULL name. */
struct target {
	const char *name;
	struct guard guard;
	u64 bytes;		/* that the load uses of it */
};

/* Opens @names (NULL-ended), of each of which the load uses @bytes[i]. What is new is
 * filled, so that reads find data and writes find room; told on stderr if that is a
 * terminal. With @v everything is, by what it wants to find there. NULL after an error was
 * printed. */
struct target *targets_open(char *const *names, const u64 *bytes,
			    const struct guard_options *o, const struct verify *v);
void targets_close(struct target *t);	/* NULL is fine */

#endif
