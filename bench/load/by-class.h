/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the defaults of --depth and --batch by the class of the disk (HDD, SSD, NVMe ...). */
#ifndef IOSPAN_LOAD_BY_CLASS_H
#define IOSPAN_LOAD_BY_CLASS_H

#include "bench/load/load.h"

/* Returns the class of the slowest disk among the targets @names, a list that ends with NULL. */
enum class_kind class_of_targets(char *const *names);

/* If depth or batch of @spec is 0, sets it to the default for the class of the disk. Batch must not
 * exceed depth. So if the given batch exceeds the default depth, sets the depth to the batch. If
 * the given depth is below the default batch, sets the batch to the depth. */
void set_by_class(struct load_spec *spec);

#endif
