/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording: each access goes through a BPF ring buffer to the command. If it is off, the verifier
 * removes this code when the programs are loaded. */
#ifndef IOSPAN_RECORD_BPF_H
#define IOSPAN_RECORD_BPF_H

#include "bpf/groups.bpf.h"

struct record_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};
/* One ring per CPU; CPUs share them if there are more than RECORD_RINGS. One more ring has the
 * names. If the command reads it before it uses an access, it knows the names of that access,
 * regardless of the CPU that recorded them. */
struct record_rings {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, RECORD_RINGS + 1);
	__type(key, u32);
	__array(values, struct record_ring);
};

extern const volatile bool recording;
extern struct record_rings record_rings SEC(".maps");
extern u64 names_begun; /* names recorded, being recorded, or without room */

int record_add(struct recorded *r);

/* Records the name of the running task's process, if that was not done before. Returns its tgid.
 * The name holds from @from_ns on (0: now). That must not be after the end of the access, because
 * an earlier process may have had the same tgid. */
u32 record_process(u64 from_ns);

/* @tgid is a new process or executes another program, so its name is recorded again. */
int record_renamed(u32 tgid);

/* As record_file(), for the struct file at @address. */
int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns);
#define FILE_WRITTEN 1 /* a write: with O_APPEND it is at the end of the file */
#define FILE_MADE 2    /* just created: an earlier file may have had the same inode number */

/* Records the path of @file, if that was not done before. Fills in @at with its inode and, if @at
 * has no offset, its position. @from_ns: as in record_process(). A global function takes no typed
 * pointer, so the pointer is read from memory as a number. */
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

/* Records an access of the vfs layer; @layers may include the app layer. */
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

/* Records an access of @cell, or an interval of one, in flight in [@start, @end). */
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
