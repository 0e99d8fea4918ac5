/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
#ifndef IOSPAN_PAUSE_H
#define IOSPAN_PAUSE_H

#include "bpf/types.h"

/* .ns is the time in which dirty throttling paused at least one task of a group, or of a group
 * below it. .until_ns is the end of the last pause. The kernel gives the length of a pause when the
 * pause starts. So during a pause, .ns already includes the time up to .until_ns. */
struct pause {
	u64 until_ns;
	u64 ns;
};

#endif
