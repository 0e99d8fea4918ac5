// SPDX-License-Identifier: GPL-2.0-or-later
/* The defaults of --depth and --batch for each class of disks. */
#include "bench/load/by-class.h"

/* Defaults of --depth (requests in flight) and --batch (requests per system call), per class of
 * disks. HDD: with 4 requests in flight, the disk can choose the nearest request. More requests
 * raise the latency more than the rate. SSD: SATA allows at most 32 requests in flight. NVMe: one
 * core reaches 3.6 M IOPS with 32 requests in flight, 3.95 M with 64 (linux-block, 2022-06-22). */
static const struct {
	u64 depth, batch;
} by_class[] = {
	[CLASS_HDD] = { 4, 1 },	   [CLASS_VIRTUAL] = { 32, 16 }, [CLASS_SSD] = { 32, 16 },
	[CLASS_NVME] = { 64, 16 }, [CLASS_RAM] = { 32, 16 },	 [CLASS_UNKNOWN] = { 32, 16 },
};

enum class_kind class_of_targets(char *const *names)
{
	enum class_kind slowest = CLASS_UNKNOWN;

	for (; *names; names++) {
		struct class class;

		class_of_path(&this_host, *names, &class);
		if (class.kind < slowest)
			slowest = class.kind;
	}
	return slowest;
}

void set_by_class(struct load_spec *spec)
{
	u64 depth = by_class[spec->class].depth, batch = by_class[spec->class].batch;
	bool depth_asked = spec->depth, batch_asked = spec->batch;

	if (!depth_asked)
		spec->depth = spec->batch > depth ? spec->batch : depth;
	if (!batch_asked)
		spec->batch = spec->depth < batch ? spec->depth : batch;
	spec->depth_by_class = !depth_asked && spec->depth == depth;
	spec->batch_by_class = !batch_asked && spec->batch == batch;
}
