/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the runs of iospan's BPF programs for Prometheus: missed runs and, if the kernel counts
 * them, all runs and their time. Also writes the losses, and the layers that the programs measure.
 */
#ifndef IOSPAN_EXPORTER_PUT_PROGRAMS_H
#define IOSPAN_EXPORTER_PUT_PROGRAMS_H

#include "user/exporter/openmetrics.h"
#include "user/metric/measurement.h"

void put_programs(struct openmetrics *o, const struct measurement *m);

/* Writes the losses that are possible without a recording: those of the layers in @selected, a bit
 * mask of layers, and those that may be of several layers. */
void put_losses(struct openmetrics *o, unsigned selected, const struct measurement *m);

/* Writes a sample for each layer in @selected: 1 if the layer is also in @measured, otherwise 0.
 * Both are bit masks of layers (1 << enum layer). Also writes @cpu_limit, a fraction of one CPU,
 * unless it is 0. */
void put_layers(struct openmetrics *o, unsigned selected, unsigned measured, double cpu_limit);

#endif
