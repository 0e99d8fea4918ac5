/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses in the order of their begins, from batches that are about in that of their
 * ends. */
#ifndef IOSPAN_VISITS_H
#define IOSPAN_VISITS_H

#include "bpf/types.h"

struct visit {
	u64 start_ns, end_ns, bytes, offset;
	u64 number; /* of those that begin at once, the one that was added first
				 * is the first */
	u32 server, process, file;
	u8 layer, op, flags;
};

#define VISITS_MAX (1U << 20) /* kept: 64 MiB. Beyond, order is given up for memory */

/* Zeroes are an empty one. */
struct visits {
	struct visit *at, *spare;
	u32 n, sorted, room;
	u64 added, last_ns;
	u64 late; /* that came out behind a later one */
};

void visits_add(struct visits *v, const struct visit *one);

/* No later one begins before @before_ns: what does goes to @fn. */
void visits_settle(struct visits *v, u64 before_ns, void (*fn)(void *arg, const struct visit *one),
		   void *arg);
void visits_release(struct visits *v);

#endif
