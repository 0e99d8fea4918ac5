/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of disks that the user selected. BPF programs look up a queue of another disk once and
 * then ignore it. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* name, number or pattern */
	int map;	      /* descriptor of the BPF map wanted_disks */
	struct queue *queues; /* in the data of the BPF programs */
};

/* Adds disks attached or renamed since the last call, which are not measured before, and removes
 * others. */
void wanted_look(const struct wanted *w);

#endif
