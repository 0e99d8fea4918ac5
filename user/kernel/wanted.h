/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of disks that the user selected. BPF programs ignore queues of other disks. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* selected disks: a name, a number or a pattern */
	int map;	      /* descriptor of the BPF map wanted_disks */
	struct queue *queues; /* points into the data of the BPF programs */
};

/* Adds disks attached or renamed since the last call, not measured before; removes others. */
void wanted_look(const struct wanted *w);

#endif
