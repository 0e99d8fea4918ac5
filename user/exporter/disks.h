/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks of the exporter. A disk is absent if it was removed, or if it has lost its medium, as a
 * loop disk without a file. An absent disk has series for some time, like a removed cgroup. */
#ifndef IOSPAN_EXPORTER_DISKS_H
#define IOSPAN_EXPORTER_DISKS_H

#include "user/exporter/groups.h"

struct exported_disk {
	char *name;    /* label device; NULL: the disk is unused */
	char *labels;  /* labels device, dev and stacked */
	bool ended;    /* true: the disk has no series; they have ended, or never started */
	u64 absent_ns; /* time of the first update without the disk; 0: the disk is there */
	struct exported_sum sum;
	u64 shared_ns; /* time in ns in which several cgroups used the disk at the same time */
};

/* .all has room for .room disks, and .n of them are in use. Disk i in .all is disk i in
 * measurement.disks. */
struct exported_disks {
	struct exported_disk *all;
	u32 n, room;
};

/* Copies the disks of @m to @e. The series of a disk end when it has been absent for @keep_ns.
 * Returns an array that has, for each disk of @m, its index in @e->all. If several disks have
 * the same name, all get the index of the first, because series of cgroups identify a disk by
 * its name. The index is DISK_ENDED if the disk is unused, or if all disks with its name have
 * ended. The caller frees the array. */
unsigned *exported_disks_update(struct exported_disks *e, const struct measurement *m, u64 keep_ns);

void exported_disks_release(struct exported_disks *e);

#endif
