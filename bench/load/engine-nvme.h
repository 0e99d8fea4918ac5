/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An NVMe namespace has a block device, such as nvme0n1, which the guard checks, and a character
 * device, such as ng0n1, which accepts commands. */
#ifndef IOSPAN_LOAD_ENGINE_NVME_H
#define IOSPAN_LOAD_ENGINE_NVME_H

/* Returns the path of the block device if @path is the character device of a namespace; else @path.
 * The text is never freed. */
char *nvme_block_device(char *path);

#endif
