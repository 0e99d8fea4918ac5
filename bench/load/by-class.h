/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the defaults of --depth and --batch by the class of the disk (HDD, SSD, NVMe ...). */
#ifndef IOSPAN_LOAD_BY_CLASS_H
#define IOSPAN_LOAD_BY_CLASS_H

#include "bench/load/load.h"

/* Returns the class of the slowest disk among the targets @names, a list that ends with NULL. */
enum class_kind class_of_targets(char *const *names);

/* Sets depth and batch of @spec to the defaults for the class of its disk, where they are 0. Depth
 * is never less than batch, so a value that the user gave changes the default of the other. */
void set_by_class(struct load_spec *spec);

#endif
