/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processor time of other programs during a load: user time, and time that the hypervisor takes.
 * Not kernel time, which may serve the load. */
#ifndef IOSPAN_LOAD_OTHERS_H
#define IOSPAN_LOAD_OTHERS_H

#include "bpf/types.h"

/* if other programs use more than this fraction of the processors, the result says so */
#define OTHERS_DISTURB 0.05

struct others {
	u64 at_ns;
	/* User and stolen time of the machine until .at_ns, without this process and its ended
	 * children. The caller adds the user time of other processes of the load. */
	double busy_ns;
};

/* Returns the user time of this process, in ns. */
double others_own_ns(void);

struct others others_now(void);
/* Fraction of all processors used since @from; NaN: unknown. Until the children of this process are
 * waited for, they count as other programs. */
double others_since(const struct others *from);

#endif
