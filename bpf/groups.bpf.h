/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the group of a cgroup or task. A group (struct group) is a cgroup or process with counters
 * of its own. iospan makes the group at the first access of the cgroup or process. The number of a
 * group is its index in the map groups. GROUP_TOP is the topmost measured cgroup. GROUP_NONE means
 * that there is no group. */
#ifndef IOSPAN_GROUPS_BPF_H
#define IOSPAN_GROUPS_BPF_H

#include "bpf/maps.bpf.h"
#include "bpf/pause.h"

struct groups_map ARRAY_OF(struct group);
/* dirty throttling (pause.bpf.c) of each group, indexed by group number */
struct pauses_map ARRAY_OF(struct pause);
struct group_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
};

/* A queue of free numbers: group numbers or cell numbers that user/kernel/retire.c has freed. They
 * are indices in the maps groups and cells. */
struct free_numbers {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, u32);
};

extern struct groups_map groups SEC(".maps");
extern struct group_index group_index SEC(".maps");

/* how device I/O is attributed to cgroups, a value of enum attribution */
extern const volatile u32 attribution;
extern struct watched charged; /* if BY_BLKCG: topmost cgroup that iospan measures */
/* kernel address of the cgroup in `charged`; 0: no BPF program has seen this cgroup yet */
extern u64 charged_at;
/* true: each measured cgroup, or each process, is a group */
extern const volatile bool per_cgroup;
/* true: groups have separate counters per layer, disk and operation */
extern const volatile bool per_part;
extern const volatile bool vfs_groups; /* true: groups also have counters at the vfs layer */
extern const volatile u32 max_groups;
extern const volatile bool per_process; /* true: each process is a group */
/* true: iospan reuses the group numbers of removed cgroups and ended processes */
extern const volatile bool retire;

#define GROUP_CACHE 4096
extern u32 group_cache[GROUP_CACHE];

/* Returns the group number of the cgroup with @id, a cgroup below the command's cgroup. @address is
 * its kernel address. Makes its group and those of its ancestors if necessary. */
u32 group_seek(u64 id, u64 address);

/* Returns the group number of the running task, which is in a measured cgroup. */
u32 task_group(void);

/* Returns the number of the ancestor that @group has at level @level of the tree of groups. Returns
 * @group if it is not below that level. */
u32 group_at(u32 group, u32 level);

static __always_inline u32 group_level(u32 group)
{
	struct group *g = bpf_map_lookup_elem(&groups, &group);

	return g ? g->level : 0;
}

/* Returns the kernel address of the ancestor at level @level. @address is the kernel address of the
 * cgroup. Returns @address if the cgroup is not below that level. */
u64 probed_ancestor(u64 address, int level);

static __always_inline u32 *group_cached(u64 id)
{
	return &group_cache[id * 0x9e3779b97f4a7c15ULL >> 40 & (GROUP_CACHE - 1)];
}

/* Returns the group number that the cache has for the cgroup with @id, or GROUP_NONE. CPUs share
 * the cache without a lock, so the cache may give another group's number. So the id of that group
 * is compared with @id. */
static __always_inline u32 group_known(u64 id)
{
	u32 number = *(volatile u32 *)group_cached(id);
	struct group *g = bpf_map_lookup_elem(&groups, &number);

	return g && g->id == id ? number : GROUP_NONE;
}

static __always_inline u32 group_find(u64 id, struct cgroup *cg)
{
	u32 number = group_known(id);

	if (number)
		return number;
	/* Reads the address of @cg from a field, because the verifier does not accept a typed
	 * pointer as a number. */
	number = group_seek(id, (u64)BPF_CORE_READ(cg, self.cgroup));
	*(volatile u32 *)group_cached(id) = number;
	return number;
}

/* Returns the group number of @cg. Returns GROUP_NONE if @cg is not measured: it is neither the
 * topmost measured cgroup nor below it. */
static __always_inline u32 group_of(struct cgroup *cg)
{
	if (!cg || !group_is_below(cg, &charged, &charged_at))
		return GROUP_NONE;
	return per_cgroup ? group_find(cg->kn->id, cg) : GROUP_TOP;
}

/* Returns the group number of @cg, like group_of(). The verifier does not know the type of @cg
 * here, so only helpers can read its fields. @top is the topmost measured cgroup. */
static __always_inline u32 probed_group(struct cgroup *cg, const volatile struct watched *top)
{
	struct cgroup *up = (void *)probed_ancestor((u64)cg, top->level);

	if (BPF_CORE_READ(up, level) != top->level || BPF_CORE_READ(up, kn, id) != top->id)
		return GROUP_NONE;
	return per_cgroup ? group_find(BPF_CORE_READ(cg, kn, id), cg) : GROUP_TOP;
}

static __always_inline struct blkcg_gq *bio_blkg(struct bio *bio)
{
	return bpf_core_field_exists(bio->bi_blkg) ? bio->bi_blkg : NULL;
}

/* Returns the group number of the cgroup that the kernel charges for @bio, or GROUP_NONE. */
static __always_inline u32 bio_group(struct bio *bio)
{
	struct blkcg_gq *blkg = bio_blkg(bio);

	return blkg ? group_of(blkg->blkcg->css.cgroup) : GROUP_NONE;
}

static __always_inline u32 current_group(void)
{
	if (!target_runs())
		return GROUP_NONE;
	return per_cgroup ? task_group() : GROUP_TOP;
}

#endif
