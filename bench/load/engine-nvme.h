/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe passthrough. An NVMe namespace has two devices: a block device such as nvme0n1, which
 * bench/guard checks, and a character device such as ng0n1, which accepts commands. */
#ifndef IOSPAN_LOAD_ENGINE_NVME_H
#define IOSPAN_LOAD_ENGINE_NVME_H

/* If @path is the character device of an NVMe namespace, returns the path of its block device, in
 * memory that is never freed. Otherwise returns @path. */
char *nvme_block_device(char *path);

#endif
