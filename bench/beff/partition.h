/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up the partitions of bench beff. A partition is a number of processes with which all
 * patterns are run. The functions return 0 or -errno, and print the error. */
#ifndef IOSPAN_BEFF_PARTITION_H
#define IOSPAN_BEFF_PARTITION_H

#include "bench/beff/beff.h"

/* Adds a partition of @ranks processes. */
int beff_add_partition(struct beff *b, u64 ranks);

/* Adds the partitions in @list: numbers of processes with commas between them. */
int beff_add_partitions(struct beff *b, const char *list);

/* Sets the memory of a process, which decides the sizes of the largest requests. @bytes: 0 for an
 * equal part of the machine's memory. */
int beff_set_memory(struct beff *b, u64 bytes);

#endif
