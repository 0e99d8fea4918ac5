/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defaults of a load that depend on the class of the disk. */
#ifndef IOSPAN_LOAD_BY_CLASS_H
#define IOSPAN_LOAD_BY_CLASS_H

#include "bench/load/load.h"

/* Returns the class of the slowest target of @names (NULL-ended). */
enum class_kind class_of_targets(char *const *names);

/* Sets depth and batch of @spec where they are 0: to the default of its class, limited by the other
 * one if that is given. */
void set_by_class(struct load_spec *spec);

#endif
