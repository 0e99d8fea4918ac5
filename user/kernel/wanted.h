/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF map of the disks that the user selected. The BPF programs ignore the hardware queues of
 * other disks. */
#ifndef IOSPAN_WANTED_H
#define IOSPAN_WANTED_H

#include "bpf/abi.h"

struct wanted {
	const char *disks;    /* disks that the user selected: a name, a number or a pattern */
	int map;	      /* descriptor of the BPF map wanted_disks */
	struct queue *queues; /* points into the data of the BPF programs */
};

/* Updates the map. A disk may have been attached, removed or renamed since the last call: adds the
 * disks that match .disks now, and removes the others. A disk is measured only after it is in the
 * map. */
void wanted_look(const struct wanted *w);

/* Returns true if one of the selected disks takes bios instead of requests (dm, md, zram ...).
 * @disks is a name, a number or a pattern; NULL: all disks are selected. */
bool wanted_has_bio_based(const char *disks);

#endif
