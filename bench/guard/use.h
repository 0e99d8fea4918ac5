/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_USE_H
#define IOSPAN_BENCH_GUARD_USE_H

#include <sys/stat.h>
#include "bench/guard/guard.h"

/* length of a text such as "is mounted on '/data'" */
#define GUARD_WHY 512
struct guard_use {
	char why[GUARD_WHY];
	bool has_partitions;
};

/* Returns true if @dev or a victim of a write to it is in use. @h: the machine to search. */
bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use);
/* Returns true if @file is mounted anywhere, or used through an overlay by a loop device or
 * process. */
bool guard_find_file_use(const struct host *h, int fd, const struct stat *file,
			 struct guard_use *use);

#endif
