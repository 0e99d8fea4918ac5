/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose is this I/O: from a cgroup to the number of the group that it counts in. */
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

/* Numbers that are free again: see user/kernel/retire.c. */
struct free_numbers {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, u32);
};

extern struct groups_map groups SEC(".maps");
extern struct group_index group_index SEC(".maps"); /* cgroup id -> number */

extern const volatile u32 attribution;	      /* enum attribution */
extern const volatile struct watched charged; /* BY_BLKCG: the group charged */
extern u64 charged_at;
extern const volatile bool per_cgroup; /* nested groups on their own */
extern const volatile bool per_part;   /* and what they do by place and operation */
extern const volatile bool vfs_groups; /* they have rows at the vfs layer as well */
extern const volatile u32 max_groups;
extern const volatile bool per_process; /* groups are processes */
extern const volatile bool retire;	/* groups that are gone give their numbers back */

#define GROUP_CACHE 4096
extern u32 group_cache[GROUP_CACHE];

/* The number of the cgroup with @id that lies at @address, below the command's own; it
 * and those above it get one if they had none. */
u32 group_seek(u64 id, u64 address);

/* That of the running task, which is one of the command's. */
u32 task_group(void);

/* The group that is @group, or lies above it at @level. */
u32 group_at(u32 group, u32 level);

static __always_inline u32 group_level(u32 group)
{
	struct group *g = bpf_map_lookup_elem(&groups, &group);

	return g ? g->level : 0;
}

/* A cell of @group has turned busy, or idle: so do it and those above it, up to the first
 * that stays. Whoever enters is through with that before his own access can end, so no
 * leave overtakes its enter. @spans is that of group 0 at the layer; the span of GROUP_TOP is
 * the layer's own. */
int turn_groups(u32 spans, u32 group, u64 now, bool busy);

/* The address of a cgroup's ancestor at @level, at most its own level. */
u64 probed_ancestor(u64 address, int level);

static __always_inline u32 *group_cached(u64 id)
{
	return &group_cache[id * 0x9e3779b97f4a7c15ULL >> 40 & (GROUP_CACHE - 1)];
}

/* The number of the cgroup with @id if the cache has it, else GROUP_NONE. The cache holds numbers
 * only. Each is checked against the group itself, so a race costs one look-up. */
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
	/* by way of itself, as the verifier takes no typed pointer for a number */
	number = group_seek(id, (u64)BPF_CORE_READ(cg, self.cgroup));
	*(volatile u32 *)group_cached(id) = number;
	return number;
}

/* The group to account to if @cg is the one charged or below it, else 0. */
static __always_inline u32 group_of(struct cgroup *cg)
{
	if (!cg || !group_is_below(cg, &charged, &charged_at))
		return GROUP_NONE;
	return per_cgroup ? group_find(cg->kn->id, cg) : GROUP_TOP;
}

/* The same for a cgroup reached by reading, not by following typed pointers, and
 * for either hierarchy. */
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

/* Whom the kernel charges @bio to; 0: not the command. */
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
