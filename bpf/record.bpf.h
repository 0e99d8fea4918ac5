/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording: each access goes through a ring to the command, which keeps it. When it is
 * off, which is known when the programs are loaded, the kernel leaves it out. */
#ifndef IOSPAN_RECORD_BPF_H
#define IOSPAN_RECORD_BPF_H

#include "bpf/groups.bpf.h"

struct record_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};
/* CPUs share them when there are more than RECORD_RINGS. One more has the names: who reads
 * it before he looks at an access knows those of the access, whichever CPU told them. */
struct record_rings {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, RECORD_RINGS + 1);
	__type(key, u32);
	__array(values, struct record_ring);
};

extern const volatile bool recording;
extern struct record_rings record_rings SEC(".maps");
extern u64 names_begun; /* how many have been told, or are being told, or found no room */

int record_add(struct recorded *r);

/* The running task is about to be named in a record: its name goes first. It is called so from
 * @from_ns on (0: from now on): no later than the access ends, as its number may have been
 * another's. */
u32 record_process(u64 from_ns);

/* Whoever has this number is another one from now on, or executes something else. */
int record_renamed(u32 tgid);

/* The same of the file at @address. */
int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns);
#define FILE_WRITTEN 1 /* an access that appends is at the file's end */
#define FILE_MADE 2    /* just now: what had its number before is no more */

/* So is @file. Its number goes to @at and, when that has no offset, its position. A global
 * function takes no typed pointer, so it is turned into a number by way of memory. */
static __always_inline void record_file(struct file *file, struct file_at *at, u32 how, u64 from_ns)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &file);
	record_file_at(address, at, how, from_ns);
}

/* The group of the running task, for records. */
static __always_inline u32 record_group(void)
{
	return per_cgroup ? task_group() : GROUP_TOP;
}

/* An access of the vfs layer, and of others. */
static __always_inline void record_vfs(u32 layers, u32 op, u32 source, const struct file_at *at,
				       u64 start, u64 end, u64 bytes, u32 flags, u32 tgid)
{
	struct recorded r = {
		.start_ns = start,
		.end_ns = end,
		.bytes = bytes,
		.offset = at->offset,
		.inode = at->inode,
		.dev = at->dev,
		.group = record_group(),
		.tgid = tgid,
		.layers = layers,
		.op = op,
		.source = source,
		.flags = flags,
	};

	record_add(&r);
}

/* An access in @cell, or a part of one, was in flight in [start, end). */
static __always_inline void record_device(u32 cell, u64 start, u64 end, u64 bytes, u64 offset,
					  u64 held, u64 queued, u32 flags, u32 tgid)
{
	struct recorded r = {
		.start_ns = start,
		.end_ns = end,
		.bytes = flags & TRACE_PART ? 0 : bytes,
		.offset = offset,
		.inode = queued,
		.held_ns = held,
		.dev = cell,
		.tgid = tgid,
		.layers = 1 << LAYER_DEVICE,
		.flags = flags,
	};

	record_add(&r);
}

#endif
