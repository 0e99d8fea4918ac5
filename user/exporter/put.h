/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes metrics that do not count accesses, for Prometheus. */
#ifndef IOSPAN_EXPORTER_PUT_H
#define IOSPAN_EXPORTER_PUT_H

#include "user/exporter/groups.h"
#include "user/exporter/openmetrics.h"

/* Writes how long the machine and the cgroups waited for I/O: the pressure (PSI and dirty
 * throttling). For cgroups, also writes W, the time with at least one read, write or sync in flight
 * at the vfs layer. */
void put_waiting(struct openmetrics *o, const struct exported_groups *groups,
		 const struct pressure *machine);

/* Returns the number of series that put_waiting() writes for the cgroup @g. */
unsigned waiting_series(const struct exported_group *g);

/* Writes how often the kernel skipped iospan's BPF programs. If the kernel counts the runs of the
 * programs, also writes their number and duration. */
void put_programs(struct openmetrics *o, const struct measurement *m);

/* Writes the losses of the layers in @selected (a bit mask), and the losses that may be of several
 * layers. Omits losses that occur only when accesses are recorded to a trace. */
void put_losses(struct openmetrics *o, unsigned selected, const struct measurement *m);

/* Writes the accesses and bytes of @others: the cgroups without counters of their own, for instance
 * because there are more cgroups than --max-groups. Writes the layers in @layers (a bit mask). */
void put_others(struct openmetrics *o, unsigned layers, const struct group_sum *others);

/* Writes a sample for each layer in @selected: 1 if the layer is also in @measured, otherwise 0.
 * Both are bit masks of layers (1 << enum layer). Also writes @cpu_limit, a fraction of one CPU,
 * unless it is 0. */
void put_layers(struct openmetrics *o, unsigned selected, unsigned measured, double cpu_limit);

/* Writes CPU time and memory of this process, with the names that are usual for Prometheus. */
void put_process(struct openmetrics *o);

#endif
