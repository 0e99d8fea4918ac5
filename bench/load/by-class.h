/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a load does on a disk of one class and not on another, unless it is told. */
#ifndef IOSPAN_BENCH_BY_CLASS_H
#define IOSPAN_BENCH_BY_CLASS_H

#include "bench/load/load.h"

/* The class of the slowest of the targets @names (NULL-ended). */
enum class_kind class_of_targets(char *const *names);

/* Depth and batch of @spec that are 0 become those of its class, or fit the one that is
 * not. */
void set_by_class(struct load_spec *spec);

#endif
