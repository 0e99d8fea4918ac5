// SPDX-License-Identifier: GPL-2.0-only
/* Makes groups. A group (struct group) is a cgroup or process with counters of its own. If the maps
 * are full, or a cgroup is nested too deeply, the cgroup gets no group. Its group number is then
 * that of its nearest ancestor with a group, plus the bit GROUP_OTHER. */
#include "bpf/groups.bpf.h"

/* Kernels before 6.8 verify global functions even if no loaded program calls them. So each global
 * function in this file first tests a setting, such as per_cgroup. If the setting is off, the
 * verifier skips the rest of the function. */

struct groups_map groups SEC(".maps");
struct group_index group_index SEC(".maps");
struct free_numbers free_groups SEC(".maps");

const volatile u32 attribution = BY_BLKCG;
struct watched charged = {};
const volatile bool per_cgroup = false;
const volatile bool per_part = false;
const volatile bool vfs_groups = false;
const volatile u32 max_groups = 1;
const volatile bool per_process = false;
const volatile bool retire = false;

u64 charged_at = 0;
u32 groups_n = GROUP_TOP + 1;
u32 group_cache[GROUP_CACHE] = {};

__noinline u64 probed_ancestor(u64 address, int level)
{
	struct cgroup *cg = (void *)address;

	if (has_ancestors())
		return BPF_CORE_READ(cg, level) > level ? listed_ancestor(cg, level) : address;
	for (u32 i = 0; i < GROUP_DEPTH && BPF_CORE_READ(cg, level) > level; i++)
		cg = BPF_CORE_READ(cg, self.parent, cgroup);
	return (u64)cg;
}

__noinline u32 group_at(u32 group, u32 level)
{
	for (int i = 0; i < GROUP_LEVELS; i++) {
		struct group *g = bpf_map_lookup_elem(&groups, &group);

		if (!g || g->level <= level)
			break;
		group = g->parent;
	}
	return group;
}

/* Returns the group number of a cgroup without counters of its own: @parent plus the bit
 * GROUP_OTHER. Also stores this number in group_index for @id, the id of the cgroup. */
static __always_inline u32 group_other(u32 parent, u64 id)
{
	u32 number = parent | GROUP_OTHER;

	if (!bpf_map_update_elem(&group_index, &id, &number, BPF_NOEXIST))
		count(&notes.other_groups);
	else if (!bpf_map_lookup_elem(&group_index, &id))
		notes.more_groups = 1;
	return number;
}

static __always_inline u32 group_number(void)
{
	u32 number;

	if (retire && !bpf_map_pop_elem(&free_groups, &number))
		return number;
	return groups_n <= max_groups ? __sync_fetch_and_add(&groups_n, 1) : max_groups + 1;
}

/* Makes a group for the cgroup or process with @id, and returns its number. @name is the address of
 * the name. If another CPU makes the same group at the same time, returns the number of that CPU's
 * group, and frees the number of the group made here. */
static __always_inline u32 group_new(u32 parent, u64 id, const void *name)
{
	u32 number = group_number(), *there;
	struct group *g;

	g = number <= max_groups ? bpf_map_lookup_elem(&groups, &number) : NULL;
	if (!g)
		return group_other(parent, id);
	g->parent = parent;
	g->born_ns = bpf_ktime_get_ns();
	g->level = group_level(parent) + 1;
	g->removed = 0;
	bpf_probe_read_kernel_str(g->name, sizeof(g->name), name);
	barrier();
	g->id = id;
	if (!bpf_map_update_elem(&group_index, &id, &number, BPF_NOEXIST))
		return number;
	g->id = 0;
	if (retire)
		bpf_map_push_elem(&free_groups, &number, BPF_ANY);
	there = bpf_map_lookup_elem(&group_index, &id);
	return there ? *there : parent | GROUP_OTHER;
}

/* If the kernel has already removed @cg, marks group @number as removed. This happens if the first
 * access of @cg is writeback after the removal. */
static __always_inline void note_removed(u32 number, struct cgroup *cg)
{
	struct group *g = bpf_map_lookup_elem(&groups, &number);

	if (g && !(BPF_CORE_READ(cg, self.flags) & CSS_ONLINE))
		g->removed = 1;
}

/* Returns the group number of the cgroup at kernel address @address. Makes the group if
 * necessary. */
__noinline u32 group_below(u32 parent, u64 address)
{
	struct cgroup *cg = (void *)address;
	u64 id = BPF_CORE_READ(cg, kn, id);
	u32 *there, number;

	if (!per_cgroup)
		return GROUP_NONE;
	there = bpf_map_lookup_elem(&group_index, &id);
	if (there)
		return *there;
	if (parent & GROUP_OTHER)
		return group_other(parent, id);
	number = group_new(parent, id, BPF_CORE_READ(cg, kn, name));
	note_removed(number, cg);
	return number;
}

__noinline u32 group_seek(u64 id, u64 address)
{
	struct cgroup *cg = (void *)address;
	int top, depth;
	u32 *there, group = GROUP_TOP;

	if (!per_cgroup)
		return GROUP_NONE;
	top = attribution == BY_BLKCG ? charged.level : target.level;
	depth = BPF_CORE_READ(cg, level) - top;
	there = bpf_map_lookup_elem(&group_index, &id);
	if (there)
		return *there;
	/* A cgroup below level GROUP_LEVELS has no group. So @address is replaced by its ancestor
	 * at this level. This saves time: each call of probed_ancestor() below may follow all
	 * pointers from @address up to an ancestor. */
	address = probed_ancestor(address, top + GROUP_LEVELS);
	for (int i = 1; i <= GROUP_LEVELS; i++) {
		if (i > depth)
			break;
		group = group_below(group, probed_ancestor(address, top + i));
	}
	return depth > GROUP_LEVELS ? group_other(group, id) : group;
}

static __always_inline u64 process_id(struct task_struct *leader)
{
	return group_process_id(BPF_CORE_READ(leader, tgid), BPF_CORE_READ(leader, start_time));
}

static __always_inline const void *process_name(struct task_struct *leader)
{
	return (const char *)leader + bpf_core_field_offset(leader->comm);
}

/* Returns the group number of @task's process. Used if each process is a group (per_process). Makes
 * the group if necessary, as a child of GROUP_TOP. */
static __always_inline u32 process_group(struct task_struct *task)
{
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	u64 id = process_id(leader);
	u32 *there = bpf_map_lookup_elem(&group_index, &id);

	return there ? *there : group_new(GROUP_TOP, id, process_name(leader));
}

/* Returns the group number of the running task from the cache, or GROUP_NONE if it is not there. */
static __always_inline u32 task_group_known(void)
{
	struct css_set *set = bpf_get_current_task_btf()->cgroups;

	return group_known(attribution == BY_BLKCG ? io_cgroup_id(set) : set->dfl_cgrp->kn->id);
}

static __always_inline u32 task_group_new(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct css_set *set = BPF_CORE_READ(task, cgroups);

	if (attribution == BY_BLKCG)
		return probed_group(io_cgroup(set), &charged);
	return probed_group(BPF_CORE_READ(set, dfl_cgrp), &target);
}

__noinline u32 task_group(void)
{
	u32 group;

	if (!per_cgroup)
		return GROUP_NONE;
	if (per_process)
		return process_group((void *)bpf_get_current_task());
	group = task_group_known();
	return group ? group : task_group_new();
}

/* Returns true if @cg is in the cgroup hierarchy that iospan measures. The test is needed, because
 * a cgroup of another hierarchy may have the same id. */
static __always_inline bool has_groups(struct cgroup *cg)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup *own = attribution == BY_BLKCG ? io_cgroup(set) :
						       BPF_CORE_READ(set, dfl_cgrp);

	return BPF_CORE_READ(cg, root) == BPF_CORE_READ(own, root);
}

/* Marks the group of a removed cgroup, so that user/kernel/retire.c can free its number.
 * retire.c itself may not notice each removal, because iospan may lack the permission to search
 * the directory of the cgroup. */
SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cg)
{
	u64 id = cg->kn->id;
	u32 *there = bpf_map_lookup_elem(&group_index, &id);
	struct group *g = there ? bpf_map_lookup_elem(&groups, there) : NULL;

	if (g && g->id == id && has_groups(cg))
		g->removed = 1;
	return 0;
}

/* A process has executed another program, so its group gets the new name (per_process). */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_process_exec, struct task_struct *task)
{
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	u64 id = process_id(leader);
	u32 *there = bpf_map_lookup_elem(&group_index, &id);
	struct group *g = there ? bpf_map_lookup_elem(&groups, there) : NULL;

	if (g)
		bpf_probe_read_kernel_str(g->name, sizeof(g->name), process_name(leader));
	return 0;
}
