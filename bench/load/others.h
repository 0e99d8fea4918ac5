/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processor time of other programs during a load, for which the load may have waited. Counts their
 * user time and the time stolen by the hypervisor. Kernel time is excluded, because the kernel may
 * spend it on the load. */
#ifndef IOSPAN_LOAD_OTHERS_H
#define IOSPAN_LOAD_OTHERS_H

#include "bpf/types.h"

/* A larger fraction is reported as a disturbance. */
#define OTHERS_DISTURB 0.05

struct others {
	u64 at_ns;
	double busy_ns; /* over all processors, without this process and its children; the caller
			 * adds the user time of a load that runs elsewhere */
};

/* Returns the user time of this process. */
double others_own_ns(void);

struct others others_now(void);
/* Returns the fraction of all processors that other programs used since @from; NaN: unknown. The
 * children of this process must have been waited for, else their time counts as that of others. */
double others_since(const struct others *from);

#endif
