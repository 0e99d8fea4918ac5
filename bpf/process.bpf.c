// SPDX-License-Identifier: GPL-2.0
/* Programs of the command that start, and threads that end: which of them the
 * preloaded library can see, and calls that death cut short. */
#include "maps.bpf.h"
#include "loader.bpf.h"

static __always_inline void note_program(u64 *n, char *name, struct linux_binprm *bprm)
{
	if (__sync_fetch_and_add(n, 1) == 0 && name)
		bpf_probe_read_kernel_str(name, sizeof(notes.static_name),
					  BPF_CORE_READ(bprm, filename));
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	if (!current_is_target())
		return 0;
	if (task_is_32bit(task))
		note_program(&notes.compat, notes.compat_name, bprm);
	else if (BPF_CORE_READ_BITFIELD_PROBED(bprm, secureexec))
		note_program(&notes.secure, notes.secure_name, bprm);
	else if (!loader_base(task))
		note_program(&notes.statically, notes.static_name, bprm);
	else
		note_program(&notes.dynamic, NULL, bprm);
	return 0;
}

static __always_inline struct app_thread *app_thread(u32 slot)
{
	u32 line = offsetof(struct app_area, threads) / sizeof(struct app_thread) + slot;

	return (struct app_thread *)bpf_map_lookup_elem(&app, &line);
}

/* The thread's place in the app area, by its number as it sees it itself: the
 * one in its own pid namespace. */
static __always_inline struct app_thread *find_thread(struct task_struct *task)
{
	struct pid *pid = task->thread_pid;
	struct upid self = {};
	u32 ns = 0, level = BPF_CORE_READ(pid, level);

	bpf_core_read(&self, sizeof(self), &pid->numbers[level]);
	bpf_core_read(&ns, sizeof(ns), &self.ns->ns.inum);
	for (u32 i = 0; i < APP_PROBES; i++) {
		struct app_thread *t = app_thread(app_thread_slot(self.nr, i));

		if (t && t->tid == (u32)self.nr && (!t->pidns || t->pidns == ns))
			return t;
	}
	return NULL;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct app_thread *t;
	struct app_head *head;
	u32 line = 0, op;
	u64 now;

	if (!current_is_target())
		return 0;
	t = find_thread(task);
	if (!t)
		return 0;
	op = t->op;
	if (t->stage == APP_INSIDE && op <= APP_SPAN_SYNC) {
		now = bpf_ktime_get_ns();
		head = bpf_map_lookup_elem(&app, &line);
		if (head)
			count(&head->killed);
		if (leave_span(app_span(op), now) && op != APP_SPAN_SYNC) {
			leave_span(app_span(APP_SPAN_ALL), now);
			leave_span(app_span(APP_SPAN_JOINT), now);
		}
	}
	t->stage = APP_IDLE;
	t->tid = 0;
	return 0;
}
