/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes the disks that the user has selected to the BPF programs, in a map. The programs look up a
 * queue of another disk once and then ignore it. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* selected disks: a name, a number or a pattern */
	int map;	      /* file descriptor of the BPF map wanted_disks */
	struct queue *queues; /* points into the data of the BPF programs */
};

/* Adds disks that were attached or renamed since the last call to the map, and removes others.
 * iospan does not count the accesses of a disk before that. */
void wanted_look(const struct wanted *w);

#endif
