// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/record.bpf.h"

const volatile bool recording = false;
struct record_rings record_rings SEC(".maps");

/* Who and what has been named, by a hash; what shares its place with another is named
 * again. */
#define TOLD 4096 /* power of two */
u32 told_processes[TOLD] = {};
u64 told_files[TOLD] = {};
u64 names_begun = 0;

#define MOUNTS_MAX 8 /* on the way of a path */

__noinline int record_add(struct recorded *r)
{
	u32 i = bpf_get_smp_processor_id() & (RECORD_RINGS - 1);
	void *ring = NULL;

	if (recording && r) /* see groups.bpf.c */
		ring = bpf_map_lookup_elem(&record_rings, &i);

	if (!ring || !bpf_ringbuf_output(ring, r, sizeof(*r), BPF_RB_NO_WAKEUP))
		return 0;
	if (r->op >= OP_OPEN) {
		count(&losses.open_records);
		return 0;
	}
	for (u32 layer = 0; layer < LAYERS; layer++)
		if (r->layers & 1 << layer)
			count(&losses.records[layer]);
	return 0;
}

/* Room for a name; NULL: none, it is tried again with the next access. */
static __always_inline struct named_record *named_new(u32 kind, u64 from_ns)
{
	u32 i = RECORD_RINGS;
	void *ring = bpf_map_lookup_elem(&record_rings, &i);
	struct named_record *n;

	__sync_fetch_and_add(&names_begun, 1);
	n = ring ? bpf_ringbuf_reserve(ring, sizeof(*n), 0) : NULL;
	if (!n) {
		count(&losses.name_records);
		return NULL;
	}
	n->kind = kind;
	n->from_ns = from_ns ? from_ns : bpf_ktime_get_ns();
	n->parts = 0;
	n->inode = 0;
	n->dev = 0;
	n->tgid = bpf_get_current_pid_tgid() >> 32;
	return n;
}

__noinline int record_renamed(u32 tgid)
{
	told_processes[tgid & (TOLD - 1)] = 0;
	return 0;
}

__noinline u32 record_process(u64 from_ns)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	u32 *told = &told_processes[tgid & (TOLD - 1)];
	struct task_struct *task = (void *)bpf_get_current_task();
	struct named_record *n;

	if (!recording || *(volatile u32 *)told == tgid)
		return tgid;
	n = named_new(NAMED_PROCESS, from_ns);
	if (!n)
		return tgid;
	BPF_CORE_READ_STR_INTO(&n->text[0], task, group_leader, comm);
	n->parts = 1;
	bpf_ringbuf_submit(n, BPF_RB_NO_WAKEUP);
	*(volatile u32 *)told = tgid;
	return tgid;
}

/* Where a path is on its way up. */
struct climb {
	u64 dentry, mount;
	u64 mounts; /* that have been left */
};

/* Steps up from the root of a mount to where that is mounted, as often as it takes. False:
 * that is the root of all. Global, as the verifier walks it once. */
int climb_mounts(struct climb *at);
__noinline int climb_mounts(struct climb *at)
{
	if (!recording || !at)
		return 0;
	for (u32 i = 0; i < MOUNTS_MAX; i++) {
		struct dentry *dentry = (void *)at->dentry;
		struct mount *mount = (void *)at->mount, *above = BPF_CORE_READ(mount, mnt_parent);

		if (dentry != BPF_CORE_READ(mount, mnt.mnt_root))
			return 1;
		if (above == mount || at->mounts++ >= MOUNTS_MAX)
			return 0;
		at->dentry = (u64)BPF_CORE_READ(mount, mnt_mountpoint);
		at->mount = (u64)above;
	}
	return 0;
}

static __always_inline void named_path(struct named_record *n, struct file *file)
{
	struct vfsmount *vfs = BPF_CORE_READ(file, f_path.mnt);
	struct climb at = {
		(u64)BPF_CORE_READ(file, f_path.dentry),
		(u64)vfs - bpf_core_field_offset(struct mount, mnt),
	};
	u32 parts = 0;

	for (u32 i = 0; i < NAMED_PARTS; i++) {
		struct dentry *dentry;

		if (!climb_mounts(&at))
			break;
		dentry = (void *)at.dentry;
		parts = i + 1;
		bpf_probe_read_kernel_str(n->text[i], NAMED_LENGTH,
					  BPF_CORE_READ(dentry, d_name.name));
		at.dentry = (u64)BPF_CORE_READ(dentry, d_parent);
		if (at.dentry == (u64)dentry) /* in no tree, as a memfd */
			break;
	}
	n->parts = parts;
}

/* 1: told. */
int name_file(u64 address, u64 inode, u32 dev, u64 from_ns);
__noinline int name_file(u64 address, u64 inode, u32 dev, u64 from_ns)
{
	struct named_record *n = recording ? named_new(NAMED_FILE, from_ns) : NULL;

	if (!n)
		return 0;
	n->inode = inode;
	n->dev = dev;
	named_path(n, (struct file *)address);
	bpf_ringbuf_submit(n, BPF_RB_NO_WAKEUP);
	return 1;
}

__noinline int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns)
{
	struct file *file = (void *)address;
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	u64 key, *told;

	if (!recording || !at)
		return 0;
	at->inode = BPF_CORE_READ(inode, i_ino);
	at->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		at->dev = BPF_CORE_READ(inode, i_rdev);
	if (how & FILE_WRITTEN && BPF_CORE_READ(file, f_flags) & O_APPEND)
		at->offset = BPF_CORE_READ(inode, i_size);
	else if (at->offset == TRACE_NO_OFFSET)
		at->offset = BPF_CORE_READ(file, f_pos);
	key = at->inode ^ (u64)at->dev << 32 ^ BPF_CORE_READ(inode, i_generation);
	told = &told_files[key * 0x9e3779b97f4a7c15ULL >> 40 & (TOLD - 1)];
	/* not every file system gives a number used again another generation */
	if (how & FILE_MADE || *(volatile u64 *)told != key)
		*(volatile u64 *)told = name_file(address, at->inode, at->dev, from_ns) ? key : 0;
	return 0;
}
