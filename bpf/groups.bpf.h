/* SPDX-License-Identifier: GPL-2.0-only */
/* Attribution: from a cgroup or a task to the number of its group. A group gets its number at its
 * first access. */
#ifndef IOSPAN_GROUPS_BPF_H
#define IOSPAN_GROUPS_BPF_H

#include "bpf/maps.bpf.h"

struct groups_map ARRAY_OF(struct group);
struct group_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
};

/* Numbers that user/kernel/retire.c has freed. */
struct free_numbers {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, u32);
};

extern struct groups_map groups SEC(".maps");
extern struct group_index group_index SEC(".maps"); /* cgroup id -> number */

extern const volatile u32 attribution; /* enum attribution */
extern struct watched charged;	       /* BY_BLKCG: the top of the cgroups charged */
extern u64 charged_at;		       /* its address; 0: not seen yet */
extern const volatile bool per_cgroup; /* cgroups below the top are separate groups */
extern const volatile bool per_part;   /* also by layer, disk and operation */
extern const volatile bool vfs_groups; /* groups have rows at the vfs layer, too */
extern const volatile u32 max_groups;
extern const volatile bool per_process; /* groups are processes */
extern const volatile bool retire;	/* numbers of removed groups are reused */

#define GROUP_CACHE 4096
extern u32 group_cache[GROUP_CACHE];

/* The number of the cgroup with @id at @address, which is below the command's. It and the cgroups
 * above get numbers if they have none. */
u32 group_seek(u64 id, u64 address);

/* The number of the running task's group. The task must be in or below the target. */
u32 task_group(void);

/* @group, or the group above it at @level. */
u32 group_at(u32 group, u32 level);

static __always_inline u32 group_level(u32 group)
{
	struct group *g = bpf_map_lookup_elem(&groups, &group);

	return g ? g->level : 0;
}

/* The address of a cgroup's ancestor at @level, at most its own level. */
u64 probed_ancestor(u64 address, int level);

static __always_inline u32 *group_cached(u64 id)
{
	return &group_cache[id * 0x9e3779b97f4a7c15ULL >> 40 & (GROUP_CACHE - 1)];
}

/* The number of the cgroup with @id if the cache has it, else GROUP_NONE. The cache holds numbers
 * only. Each is compared with the group itself, so a race only costs a look-up. */
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
	/* a field that points to the cgroup itself: the verifier takes no typed pointer as a
	 * number */
	number = group_seek(id, (u64)BPF_CORE_READ(cg, self.cgroup));
	*(volatile u32 *)group_cached(id) = number;
	return number;
}

/* The group of @cg if it is the top of the cgroups charged, or below it; else GROUP_NONE. */
static __always_inline u32 group_of(struct cgroup *cg)
{
	if (!cg || !group_is_below(cg, &charged, &charged_at))
		return GROUP_NONE;
	return per_cgroup ? group_find(cg->kn->id, cg) : GROUP_TOP;
}

/* As group_of(), for a @cg that is no typed pointer, and for @top in either hierarchy. */
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

/* The group to which the kernel charges @bio; GROUP_NONE: it is not measured. */
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
