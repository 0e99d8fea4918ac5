/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defaults of --depth and --batch that depend on the class of the disk (HDD, SSD, NVMe ...). */
#ifndef IOSPAN_LOAD_BY_CLASS_H
#define IOSPAN_LOAD_BY_CLASS_H

#include "bench/load/load.h"

/* Returns the class of the slowest disk of @names, a list of targets that ends with NULL. */
enum class_kind class_of_targets(char *const *names);

/* If depth or batch of @spec is 0, sets it to the default of the disk's class. Raises a default
 * depth to the given batch, and reduces a default batch to the given depth. */
void set_by_class(struct load_spec *spec);

#endif
