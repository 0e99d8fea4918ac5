/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes CPU time and memory of this process, as metrics with the names that are usual for
 * Prometheus. */
#ifndef IOSPAN_EXPORTER_PUT_PROCESS_H
#define IOSPAN_EXPORTER_PUT_PROCESS_H

#include "user/exporter/openmetrics.h"

void put_process(struct openmetrics *o);

#endif
