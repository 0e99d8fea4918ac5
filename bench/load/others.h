/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how much processor time other programs (user time) and the hypervisor (stolen time) take
 * during a load. Ignores kernel time, because the kernel may spend it on the load. */
#ifndef IOSPAN_LOAD_OTHERS_H
#define IOSPAN_LOAD_OTHERS_H

#include "bpf/types.h"

/* if other programs use more than this fraction of the processors, the result has a note */
#define OTHERS_DISTURB 0.05

struct others {
	u64 at_ns;
	/* User time and stolen time of all processors from the boot until .at_ns, in ns, without
	 * the user time of this process and of its ended children. If other processes run the load
	 * (MPI ranks), the caller must add their user time before it calls others_since(). */
	double busy_ns;
};

/* Returns the user time of this process, in ns. */
double others_own_ns(void);

struct others others_now(void);
/* Returns the fraction of the time of all processors that other programs have used since @from;
 * NaN: unknown. Call this after all children of this process have ended. Otherwise the time of a
 * child is mistaken for time of other programs. */
double others_since(const struct others *from);

#endif
