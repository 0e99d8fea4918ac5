/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks to measure, if the user selects some. The BPF programs ignore the other disks after one
 * look-up. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* selected disks: a name, a number or a pattern */
	int map;	      /* file descriptor of the BPF map wanted_disks */
	struct queue *queues; /* points into the data of the BPF programs */
};

/* Updates the map of wanted disks, because disks may have been added or renamed. Accesses before
 * the update are not counted. */
void wanted_look(const struct wanted *w);

#endif
