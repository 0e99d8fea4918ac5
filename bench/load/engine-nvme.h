/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe passthrough: sends commands to an NVMe disk without the block layer. An NVMe namespace has a
 * block device such as nvme0n1, which bench/guard checks, and a character device such as ng0n1,
 * which takes commands. */
#ifndef IOSPAN_LOAD_ENGINE_NVME_H
#define IOSPAN_LOAD_ENGINE_NVME_H

/* Returns the path of the block device if @path is the NVMe character device of the same namespace,
 * in memory that is never freed. Returns @path for all other files. */
char *nvme_block_device(char *path);

#endif
