/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks to measure, if not all: the kernel programs ignore the others after one look-up. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* a name, a number or a pattern */
	int map;	      /* descriptor of wanted_disks */
	struct queue *queues; /* in the data of the kernel programs */
};

/* Updates the map: disks may have been added or renamed. Their earlier accesses are not counted. */
void wanted_look(const struct wanted *w);

#endif
