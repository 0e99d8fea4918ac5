/* SPDX-License-Identifier: GPL-2.0-only */
/* Sends each access to `iospan record`. Near the first access of a process or file, also sends its
 * name: the name of the process or the path of the file. If recording is false, the verifier
 * removes this code. */
#ifndef IOSPAN_RECORD_BPF_H
#define IOSPAN_RECORD_BPF_H

#include "bpf/groups.bpf.h"

struct record_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};
/* One ring buffer per CPU for accesses, up to RECORD_RINGS, and a last one for names. If there are
 * more CPUs, several CPUs share a ring buffer. iospan reads the names first, so that it knows the
 * name of each access that it reads. */
struct record_rings {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, RECORD_RINGS + 1);
	__type(key, u32);
	__array(values, struct record_ring);
};

extern const volatile bool recording;
extern struct record_rings record_rings SEC(".maps");
/* number of names that BPF programs tried to record, even if the ring buffer had no room */
extern u64 names_begun;

int record_add(struct recorded *r);
int record_add_device(struct recorded_device *r);

/* Records the name of the running process if it is not recorded yet. Returns the tgid. The name
 * is valid from the time @from_ns on; if @from_ns is 0, from now on. An access has the name that
 * was valid at its end, so @from_ns must not be later than the end of the access. */
u32 record_process(u64 from_ns);

/* The next record_process() of process @tgid will record its name again. Call this if the process
 * is new or has executed another program. */
int record_renamed(u32 tgid);

/* Records the path of the struct file at kernel address @address, as record_file() does. */
int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns);
/* Records the path of the inode at kernel address @address if it is not recorded yet. No mount is
 * known, so the path starts at the root of the file system. Sets the inode and device in @at. */
int record_inode(u64 address, struct file_at *at, u64 from_ns);
/* the access is a write; if the file has O_APPEND, the offset is the end of the file */
#define FILE_WRITTEN 1
/* the file was just created: record its path, even if an earlier file had its inode number */
#define FILE_MADE 2

/* Records the path of @file if it is not recorded yet. Sets the inode and device in @at. If @at has
 * no offset, sets the offset to the file position. record_file_at() does the work. It gets the
 * address as a number, because a global function takes no typed pointer. */
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

/* Records an access of the vfs layer. It may be an access of the app layer, too: @layers has a bit
 * per layer. */
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

/* Records the interval [@start, @end) of a device access. @at has the disk offset and, if known,
 * the file. */
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
