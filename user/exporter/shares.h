/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shares of exported cgroups: per disk, the time in which a cgroup used the disk alone, and the
 * time in which it shared the disk with other cgroups. */
#ifndef IOSPAN_EXPORTER_SHARES_H
#define IOSPAN_EXPORTER_SHARES_H

#include "user/exporter/groups.h"
#include "user/exporter/openmetrics.h"

/* Copies the shares of @from to @g. Disk i of the measurement has the index @disk_of[i] in the list
 * of disks of the exporter, or DISK_ENDED. */
void exported_shares_set(struct exported_group *g, const struct group_sum *from,
			 const unsigned *disk_of);

unsigned exported_shares_series(const struct exported_group *g);

/* Writes the series for Prometheus. @devices[i] is the label of disk i in the list of disks of the
 * exporter. */
void put_shares(struct openmetrics *o, const struct exported_groups *groups,
		const char *const *devices);

#endif
