/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the pressure (PSI and dirty throttling) of the machine and of cgroups for Prometheus. */
#ifndef IOSPAN_EXPORTER_PUT_PRESSURE_H
#define IOSPAN_EXPORTER_PUT_PRESSURE_H

#include "user/exporter/groups.h"
#include "user/exporter/openmetrics.h"

void put_pressure(struct openmetrics *o, const struct exported_groups *groups,
		  const struct pressure *machine);

/* Returns the number of series that the pressure of a cgroup has. */
unsigned pressure_series(const struct pressure *p);

#endif
