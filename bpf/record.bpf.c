// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/record.bpf.h"

const volatile bool recording = false;
struct record_rings record_rings SEC(".maps");

/* Hash tables of the processes and files that have a recorded name. If two of them share an entry,
 * their names are recorded again and again. */
#define REPORTED 4096 /* must be a power of two */
u32 reported_processes[REPORTED] = {};
u64 reported_files[REPORTED] = {};
u64 names_begun = 0;

#define MOUNTS_MAX 8 /* maximum number of mounts between a file and the root */

__noinline int record_add(struct recorded *r)
{
	u32 i = bpf_get_smp_processor_id() & (RECORD_RINGS - 1);
	void *ring = NULL;

	if (recording && r)
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

/* Reserves room for a name in the ring buffer of names. Returns NULL if there is no room; the next
 * access then tries again. */
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
	n->components = 0;
	n->inode = 0;
	n->dev = 0;
	n->tgid = bpf_get_current_pid_tgid() >> 32;
	return n;
}

__noinline int record_renamed(u32 tgid)
{
	reported_processes[tgid & (REPORTED - 1)] = 0;
	return 0;
}

__noinline u32 record_process(u64 from_ns)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	u32 *reported = &reported_processes[tgid & (REPORTED - 1)];
	struct task_struct *task = (void *)bpf_get_current_task();
	struct named_record *n;

	if (!recording || *(volatile u32 *)reported == tgid)
		return tgid;
	n = named_new(NAMED_PROCESS, from_ns);
	if (!n)
		return tgid;
	BPF_CORE_READ_STR_INTO(&n->text[0], task, group_leader, comm);
	n->components = 1;
	bpf_ringbuf_submit(n, BPF_RB_NO_WAKEUP);
	*(volatile u32 *)reported = tgid;
	return tgid;
}

/* A position on the path from a file up to the root directory. */
struct path_walk {
	u64 dentry, mount;
	u64 mounts; /* number of mount points passed so far */
};

/* If the dentry is the root of a mount, goes up to the mount point, and repeats this. Returns 0 if
 * it reaches the root of all mounts or passes MOUNTS_MAX mounts, and 1 otherwise. It is a global
 * function, so that the verifier checks it only once. */
int walk_mounts(struct path_walk *at);
__noinline int walk_mounts(struct path_walk *at)
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

/* Copies the name of @dentry to @text, which has NAMED_LENGTH bytes. It uses the length, because
 * bpf_probe_read_kernel_str() reads byte by byte. That would be most of the cost of a path. */
static __always_inline void named_component(char *text, struct dentry *dentry)
{
	u64 length = BPF_CORE_READ(dentry, d_name.len);

	barrier_var(length);
	if (length > NAMED_LENGTH - 1)
		length = NAMED_LENGTH - 1;
	bpf_probe_read_kernel(text, length, BPF_CORE_READ(dentry, d_name.name));
	text[length] = '\0';
}

static __always_inline void named_path(struct named_record *n, struct file *file)
{
	struct vfsmount *vfs = BPF_CORE_READ(file, f_path.mnt);
	struct path_walk at = {
		(u64)BPF_CORE_READ(file, f_path.dentry),
		(u64)vfs - bpf_core_field_offset(struct mount, mnt),
	};
	u32 components = 0;

	for (u32 i = 0; i < NAMED_COMPONENTS; i++) {
		struct dentry *dentry;

		if (!walk_mounts(&at))
			break;
		dentry = (void *)at.dentry;
		components = i + 1;
		named_component(n->text[i], dentry);
		at.dentry = (u64)BPF_CORE_READ(dentry, d_parent);
		/* a memfd or a similar file, which is in no directory */
		if (at.dentry == (u64)dentry)
			break;
	}
	n->components = components;
}

/* Records the path of the struct file at @address. Returns 1 if there was room for it. */
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
	u64 key, *reported;

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
	reported = &reported_files[key * 0x9e3779b97f4a7c15ULL >> 40 & (REPORTED - 1)];
	/* FILE_MADE is tested, because some file systems reuse an inode number without changing
	 * i_generation */
	if (how & FILE_MADE || *(volatile u64 *)reported != key)
		*(volatile u64 *)reported = name_file(address, at->inode, at->dev, from_ns) ? key :
											      0;
	return 0;
}
