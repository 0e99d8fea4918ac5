/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
#ifndef IOSPAN_PAUSE_H
#define IOSPAN_PAUSE_H

#include "bpf/types.h"

/* The time (.ns) in which dirty throttling pauses at least one task of a group, or of a group below
 * it. The kernel gives the length of a pause when the pause starts. So .ns already includes the
 * time up to .until_ns, when the last pause ends. */
struct pause {
	u64 until_ns;
	u64 ns;
};

#endif
