// SPDX-License-Identifier: GPL-2.0-only
/* Counts processes that leave the command's cgroup, for a note in the report. The kernel reports a
 * move only when the process is already in its new cgroup. So the BPF map "members" has an element
 * for each process that was in the command's cgroup. */
#include "bpf/maps.bpf.h"

struct member_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u32);
};
struct member_map members SEC(".maps");

/* Marks a new process in the command's cgroup as a member. CLONE_INTO_CGROUP may start a process in
 * another cgroup than its parent. If the parent is in the command's cgroup, the process then counts
 * as departed. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_member_fork, struct task_struct *parent, struct task_struct *child)
{
	if (child->pid != child->tgid || !task_is_target(parent))
		return 0;
	if (task_is_target(child))
		bpf_task_storage_get(&members, child, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	else
		count(&notes.departed);
	return 0;
}

/* A process has moved to another cgroup; @task is its leader. If it is now in the command's cgroup,
 * marks it as a member. If it was a member, counts it as departed. A move in a cgroup v1 hierarchy
 * changes nothing, because task_is_target() tests the v2 cgroup. */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(on_member_move, struct cgroup *to, const char *path, struct task_struct *task)
{
	if (task_is_target(task))
		bpf_task_storage_get(&members, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	else if (!bpf_task_storage_delete(&members, task))
		count(&notes.departed);
	return 0;
}
