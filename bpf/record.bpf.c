// SPDX-License-Identifier: GPL-2.0-only
/* Writes accesses and names to the ring buffers that `iospan record` reads. A name is the name of a
 * process or the path of a file. It is recorded near the first access that needs it. */
#include "bpf/record.bpf.h"

const volatile bool recording = false;
const volatile u64 end_of_direct = 0, end_of_split = 0;
struct record_rings record_rings SEC(".maps");

/* Hash tables of the processes and files with a recorded name. If two processes or files use the
 * same element, each replaces the other, and their names are recorded repeatedly. */
#define REPORTED 4096 /* size of each table; a power of two, so that bits of a hash are the index */
u32 reported_processes[REPORTED] = {};
u64 reported_files[REPORTED] = {};
u64 names_begun = 0;

/* maximum number of mount points on the path of a file */
#define MOUNTS_MAX 8

/* Writes an access to this CPU's ring buffer. Returns true if there was no room. */
static __always_inline bool ring_is_full(void *access, u32 size)
{
	u32 i = bpf_get_smp_processor_id() & (RECORD_RINGS - 1);
	void *ring = bpf_map_lookup_elem(&record_rings, &i);

	return ring && bpf_ringbuf_output(ring, access, size, BPF_RB_NO_WAKEUP);
}

__noinline int record_add_device(struct recorded_device *r)
{
	if (recording && r && ring_is_full(r, sizeof(*r)))
		count(&losses.records[LAYER_DEVICE]);
	return 0;
}

__noinline int record_add(struct recorded *r)
{
	if (!recording || !r || !ring_is_full(r, sizeof(*r)))
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

/* Reserves room for a name in the ring buffer of names. Returns NULL if there is no room. */
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

/* A position on the path from a file up to the root directory. If .mount is 0, the mount points are
 * not known. The path then ends at the root of the file system. */
struct path_walk {
	u64 dentry, mount;
	u64 mounts; /* number of mount points passed so far */
};

/* While @at is the root of a mount, moves @at up to the mount point. Returns 0 if there is no
 * further component of the path, else 1. */
int walk_mounts(struct path_walk *at);
__noinline int walk_mounts(struct path_walk *at)
{
	struct dentry *last;

	if (!recording || !at)
		return 0;
	last = (void *)at->dentry;
	if (!at->mount)
		return last != BPF_CORE_READ(last, d_parent);
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

/* Copies the name of @dentry to @text of NAMED_LENGTH bytes. bpf_probe_read_kernel_str() would be
 * too slow, because it reads byte by byte. */
static __always_inline void named_component(char *text, struct dentry *dentry)
{
	u64 length = BPF_CORE_READ(dentry, d_name.len);

	barrier_var(length);
	if (length > NAMED_LENGTH - 1)
		length = NAMED_LENGTH - 1;
	bpf_probe_read_kernel(text, length, BPF_CORE_READ(dentry, d_name.name));
	text[length] = '\0';
}

static __always_inline void named_path(struct named_record *n, u64 dentry, u64 mount)
{
	struct path_walk at = { dentry, mount };
	u32 components = 0;

	for (u32 i = 0; i < NAMED_COMPONENTS; i++) {
		struct dentry *dentry;

		if (!walk_mounts(&at))
			break;
		dentry = (void *)at.dentry;
		components = i + 1;
		named_component(n->text[i], dentry);
		at.dentry = (u64)BPF_CORE_READ(dentry, d_parent);
		/* A dentry that is its own parent is in no directory, for instance that of a
		 * memfd. */
		if (at.dentry == (u64)dentry)
			break;
	}
	n->components = components;
}

/* Records the path of file @of. @dentry is the address of its struct dentry. @mount is the address
 * of its struct mount; 0: not known. Returns 0 if the ring buffer had no room, else 1. */
int name_file(u64 dentry, u64 mount, const struct file_at *of, u64 from_ns);
__noinline int name_file(u64 dentry, u64 mount, const struct file_at *of, u64 from_ns)
{
	struct named_record *n = recording && of ? named_new(NAMED_FILE, from_ns) : NULL;

	if (!n)
		return 0;
	n->inode = of->inode;
	n->dev = of->dev;
	n->in_mount = mount != 0;
	named_path(n, dentry, mount);
	bpf_ringbuf_submit(n, BPF_RB_NO_WAKEUP);
	return 1;
}

/* Computes the key of the file, and stores it in *@key. Returns the element of reported_files
 * for this key. If the element already has this key, the path of the file was recorded before. */
static __always_inline volatile u64 *reported_file(struct inode *inode, const struct file_at *at,
						   u64 *key)
{
	*key = at->inode ^ (u64)at->dev << 32 ^ BPF_CORE_READ(inode, i_generation);
	return &reported_files[*key * 0x9e3779b97f4a7c15ULL >> 40 & (REPORTED - 1)];
}

__noinline int record_inode(u64 address, struct file_at *at, u64 from_ns)
{
	struct inode *inode = (void *)address;
	struct hlist_node *alias;
	volatile u64 *reported;
	u64 key;

	if (!recording || !at || !bpf_core_field_exists(struct dentry, d_u.d_alias))
		return 0;
	at->inode = BPF_CORE_READ(inode, i_ino);
	at->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	reported = reported_file(inode, at, &key);
	alias = BPF_CORE_READ(inode, i_dentry.first);
	if (*reported != key && alias)
		*reported =
			name_file((u64)alias - bpf_core_field_offset(struct dentry, d_u.d_alias), 0,
				  at, from_ns) ?
			key :
			0;
	return 0;
}

__noinline int record_file_at(u64 address, struct file_at *at, u32 how, u64 from_ns)
{
	struct file *file = (void *)address;
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	volatile u64 *reported;
	u64 key;

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
	reported = reported_file(inode, at, &key);
	/* The path of a created file is always recorded: an earlier file may have had the same
	 * key. */
	if (how & FILE_MADE || *reported != key)
		*reported = name_file((u64)BPF_CORE_READ(file, f_path.dentry),
				      (u64)BPF_CORE_READ(file, f_path.mnt) -
					      bpf_core_field_offset(struct mount, mnt),
				      at, from_ns) ?
			key :
			0;
	return 0;
}
