/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How busy other programs kept the processors while a load ran: what they take, the load may
 * have waited for. Only programs' own time counts, and what the hypervisor took; time in the
 * kernel may be on the load's behalf. */
#ifndef IOSPAN_BENCH_OTHERS_H
#define IOSPAN_BENCH_OTHERS_H

#include "bpf/types.h"

/* So much is told. */
#define OTHERS_DISTURB 0.05

struct others {
	u64 at_ns;
	double busy_ns; /* of all processors together; of the load's processes that are no
				 * children of ours, what they took since may be added */
};

/* What this process itself took. */
double others_own_ns(void);

struct others others_now(void);
/* Their share of all processors since @from; the children that we had have been waited for.
 * NaN: not known. */
double others_since(const struct others *from);

#endif
