/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe passthrough. A namespace has a block device (nvme0n1), which bench/guard checks, and a
 * character device (ng0n1), which takes commands. */
#ifndef IOSPAN_LOAD_ENGINE_NVME_H
#define IOSPAN_LOAD_ENGINE_NVME_H

/* If @path is an NVMe character device, returns the path of the same namespace's block device, in
 * memory that is never freed. Otherwise returns @path. */
char *nvme_block_device(char *path);

#endif
