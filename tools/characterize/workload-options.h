/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes command lines of `bench load` and `predict` with the workload of a job. */
#ifndef IOSPAN_WORKLOAD_OPTIONS_H
#define IOSPAN_WORKLOAD_OPTIONS_H

#include "tools/characterize/workload-model.h"

/* Return the command line of `iospan predict` and of `iospan bench load`. @unique_bytes is the
 * number of unique bytes. The model must have accesses. The caller frees the line. */
char *workload_predict_line(const struct workload_model *m, u64 unique_bytes);
char *workload_load_line(const struct workload_model *m, u64 unique_bytes);

#endif
