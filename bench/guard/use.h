/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users of a device or file, so that iospan does not overwrite their data. */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>
#include "bench/guard/guard.h"

/* One user, as the text for an error message, such as "is mounted on '/data'". */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* Returns true if device @dev, or another device or file that has some of its bytes, is in use, as
 * far as the host @h shows. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
/* Returns true if the file @file, open as @fd, is a mount point in the mount namespace of any
 * process. Also returns true if @file is in a layer of an overlay, and a loop device or process
 * uses it by its path there. */
bool guard_find_file_use(const struct host *h, int fd, const struct stat *file,
			 struct guard_use *use);

#endif
