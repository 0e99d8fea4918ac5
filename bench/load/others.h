/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures processor time that other programs use during a load, because it may have slowed the
 * load. Counts their user time and the time stolen by the hypervisor. Excludes kernel time, because
 * the kernel may spend it on the load. */
#ifndef IOSPAN_LOAD_OTHERS_H
#define IOSPAN_LOAD_OTHERS_H

#include "bpf/types.h"

/* If others use a larger fraction of the processors, the result reports a disturbance. */
#define OTHERS_DISTURB 0.05

struct others {
	u64 at_ns;
	/* User and stolen time of all processors, without this process and its children. The caller
	 * adds the user time of a load that runs in other processes. */
	double busy_ns;
};

/* Returns the user time of this process, in ns. */
double others_own_ns(void);

struct others others_now(void);
/* Returns the fraction of all processors that other programs used since @from; NaN: unknown. Call
 * it after waiting for the children of this process, else their time counts as that of others. */
double others_since(const struct others *from);

#endif
