/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users of a device or file, so that iospan does not write below them. */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>
#include "bench/guard/guard.h"

/* One user, as a clause for an error: "is mounted on '/data'". */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* True if device @dev, or another one with some of its bytes, is in use, as far as @h shows. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
/* True if @file, open as @fd, is a mount point in the namespace of any process, or if a loop device
 * or process has it by its path in a layer of an overlay. */
bool guard_find_file_use(const struct host *h, int fd, const struct stat *file,
			 struct guard_use *use);

#endif
