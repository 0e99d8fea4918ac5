/* SPDX-License-Identifier: GPL-2.0-only */
/* Sends each access through a BPF ring buffer to the iospan command, for `iospan record`. If
 * .recording is off, the verifier removes this code when the programs are loaded. */
#ifndef IOSPAN_RECORD_BPF_H
#define IOSPAN_RECORD_BPF_H

#include "bpf/groups.bpf.h"

struct record_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};
/* Ring buffers for accesses, one per CPU; if there are more than RECORD_RINGS CPUs, they share
 * them. The last one has the names of processes and files. The command reads it first, so it knows
 * the names for each access, regardless of the CPU that recorded them. */
struct record_rings {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, RECORD_RINGS + 1);
	__type(key, u32);
	__array(values, struct record_ring);
};

extern const volatile bool recording;
extern struct record_rings record_rings SEC(".maps");
/* number of names that BPF programs have started to record, even if there was no room for them */
extern u64 names_begun;

int record_add(struct recorded *r);
int record_add_device(struct recorded_device *r);

/* Records the name of the running task's process if it is not recorded yet, and returns its tgid.
 * The name is valid from @from_ns on; 0 means now. @from_ns must not be after the end of the
 * access, because an earlier process may have had the same tgid. */
u32 record_process(u64 from_ns);

/* Makes record_process() record the name of process @tgid again, because the process is new or has
 * executed another program. */
int record_renamed(u32 tgid);

/* Does the same as record_file(), for the struct file at kernel address @address. */
int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns);
/* Records the path of the inode at kernel address @address if it is not recorded yet, and sets the
 * inode and device number in @at. The path starts at the root of the file system, because no mount
 * is known. */
int record_inode(u64 address, struct file_at *at, u64 from_ns);
/* the access is a write: with O_APPEND, its offset is the end of the file */
#define FILE_WRITTEN 1
/* the file was just created, so its path is new even if an earlier file had its inode number */
#define FILE_MADE 2

/* Records the path of @file if it is not recorded yet. Sets the inode in @at and, if @at has no
 * offset, its offset to the file position. @from_ns is that of record_process(). A global function
 * takes no typed pointer, so the address of @file is read from memory as a number. */
static __always_inline void record_file(struct file *file, struct file_at *at, u32 how, u64 from_ns)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &file);
	record_file_at(address, at, how, from_ns);
}

static __always_inline u32 record_group(void)
{
	return per_cgroup ? task_group() : GROUP_TOP;
}

/* Records an access of the layers in @layers, a bit mask of vfs and possibly app. */
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

/* Records a device access that was in flight in [@start, @end), or one interval of it. @cell is the
 * index of its struct cell. @at has the offset on the disk, and the file if it is known. */
static __always_inline void record_device(u32 cell, u64 start, u64 end, u64 bytes,
					  const struct file_at *at, u64 held, u64 queued, u32 flags,
					  u32 tgid)
{
	struct recorded_device r = {
		.access = {
			.start_ns = start,
			.end_ns = end,
			.bytes = flags & TRACE_PART ? 0 : bytes,
			.offset = at->offset,
			.inode = at->inode,
			.held_ns = held,
			.dev = at->dev,
			.group = cell,
			.tgid = tgid,
			.layers = 1 << LAYER_DEVICE,
			.flags = flags,
		},
		.queued_ns = queued,
	};

	record_add_device(&r);
}

#endif
