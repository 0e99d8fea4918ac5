/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks that are looked at, where that is not all of them: the kernel programs leave the
 * others alone after one look-up. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* a name, a number or a pattern */
	int map;	      /* their numbers */
	struct queue *queues; /* the kernel programs' */
};

/* Tells the kernel programs about disks that have come, or have another name now. What those did
 * before is not counted. */
void wanted_look(const struct wanted *w);

#endif
