/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An NVMe namespace by either of its devices: nvme0n1, which the guard knows, and ng0n1,
 * which takes commands. */
#ifndef IOSPAN_BENCH_NVME_H
#define IOSPAN_BENCH_NVME_H

/* The block device's path if @path is the character device of one; else @path itself.
 * Lives as long as the program. */
char *nvme_block_device(char *path);

#endif
