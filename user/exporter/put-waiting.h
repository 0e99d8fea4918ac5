/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the waiting of the machine and of cgroups for Prometheus: pressure (PSI and dirty
 * throttling) and W, the wait span. */
#ifndef IOSPAN_EXPORTER_PUT_WAITING_H
#define IOSPAN_EXPORTER_PUT_WAITING_H

#include "user/exporter/groups.h"
#include "user/exporter/openmetrics.h"

void put_waiting(struct openmetrics *o, const struct exported_groups *groups,
		 const struct pressure *machine);

/* Returns the number of series that the waiting of a cgroup has. */
unsigned waiting_series(const struct exported_group *g);

#endif
