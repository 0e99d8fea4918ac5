/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the runs of iospan's BPF programs for Prometheus: missed runs and, if the kernel counts
 * them, all runs and their time. */
#ifndef IOSPAN_EXPORTER_PUT_PROGRAMS_H
#define IOSPAN_EXPORTER_PUT_PROGRAMS_H

#include "user/exporter/openmetrics.h"
#include "user/metric/measurement.h"

void put_programs(struct openmetrics *o, const struct measurement *m);

#endif
