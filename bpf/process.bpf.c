// SPDX-License-Identifier: GPL-2.0-only
/* Programs that run at fork, exec and exit. They count programs that cannot load the preloaded
 * library, record names of processes, and end the app layer's calls of killed threads. The app area
 * is memory in which the preloaded library counts calls. An element of its threads[], called a
 * slot, describes one call in flight. */
#include "bpf/cells.bpf.h"
#include "bpf/record.bpf.h"
#include "bpf/loader.bpf.h"

static __always_inline void note_program(u64 *n, char *name, struct linux_binprm *bprm)
{
	if (__sync_fetch_and_add(n, 1) == 0 && name)
		bpf_probe_read_kernel_str(name, sizeof(notes.static_name),
					  BPF_CORE_READ(bprm, filename));
}

/* Thread @t was killed while it added its access to spans (if @enter is true) or removed the access
 * from them. If the thread has already changed the span of @op, changes the remaining spans and
 * returns true. Otherwise changes nothing and returns false. A thread that is not killed calls
 * spans_complete() in preload/call.c instead. */
static __always_inline bool spans_complete(struct app_thread *t, u32 op, bool enter, u64 now)
{
	u32 ended = *(volatile u8 *)&t->ended, done;
	struct span *s = app_span(app_step_span(op, ended < APP_STEPS ? ended : 0));

	if (!s)
		return true;
	done = app_steps_done(t, s, enter);
	if (!done || !app_layer_changes(t))
		return done;
	for (u32 step = 1; step < APP_STEPS; step++) {
		if (step < done || step >= app_steps(op))
			continue;
		if (enter)
			enter_app(app_step_span(op, step), now);
		else
			leave_app(app_step_span(op, step), now);
	}
	return true;
}

/* Returns true if the span of @op still includes the call of thread @t. @stage is the stage of
 * the call in which the thread was killed. */
static __always_inline bool is_inside(struct app_thread *t, u32 stage, u32 op, u64 now)
{
	return stage == APP_INSIDE || (stage == APP_ENTERING && spans_complete(t, op, true, now)) ||
		(stage == APP_LEAVING && !spans_complete(t, op, false, now));
}

/* Ends the call in threads[@slot] if it belongs to the exiting thread @tid of pid namespace @ns. */
__noinline int end_app_call(u32 slot, u32 tid, u32 ns)
{
	u32 line = offsetof(struct app_area, threads) / sizeof(struct app_thread) + slot;
	struct app_thread *t = (struct app_thread *)bpf_map_lookup_elem(&app, &line);
	struct app_head *head;
	u32 zero = 0, op, stage;
	u64 now;

	if (!t || t->tid != tid || (t->pidns && t->pidns != ns))
		return 0;
	op = t->op;
	stage = t->stage;
	if (stage != APP_IDLE && stage <= APP_LEAVING && op <= APP_SPAN_SYNC) {
		now = bpf_ktime_get_ns();
		head = (struct app_head *)bpf_map_lookup_elem(&app, &zero);
		if (head)
			count(&head->killed);
		if (is_inside(t, stage, op, now))
			access_app(NULL, op, now, false);
	}
	t->stage = APP_IDLE;
	t->tid = 0;
	return 0;
}

/* Ends all app layer calls of thread @tid. @ns is the pid namespace of the thread. */
static __always_inline void end_app_calls(u32 tid, u32 ns)
{
	for (u32 i = 0; i < APP_PROBES; i++)
		end_app_call(app_thread_slot(tid, i), tid, ns);
}

static __always_inline struct upid own_number(struct task_struct *task)
{
	struct pid *pid = UNTRUSTED(task)->thread_pid;
	u32 level = BPF_CORE_READ(pid, level);
	struct upid self = {};

	bpf_core_read(&self, sizeof(self), &pid->numbers[level]);
	return self;
}

static __always_inline u32 own_namespace(struct task_struct *task)
{
	struct upid self = own_number(task);

	return BPF_CORE_READ(self.ns, ns.inum);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	/* Does not test the cgroup: the calls of a thread that has moved to another cgroup must
	 * end, too. */
	end_app_calls(own_number(task).nr, own_namespace(task));
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	if (recording && child->pid == child->tgid)
		record_renamed(child->tgid);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	if (recording)
		record_renamed(task->tgid);
	/* If a signal handler calls exec, the interrupted call does not return, so it is ended
	 * here. If the thread that calls exec is not the leader, it gets the leader's id, and
	 * the app area has its calls under the old id. The calls are ended before
	 * current_is_target(), because the process may have left the measured cgroup in the
	 * meantime. */
	end_app_calls(own_number(task).nr, own_namespace(task));
	if (old_pid != task->pid && BPF_CORE_READ(task, thread_pid, level) == 0)
		end_app_calls(old_pid, own_namespace(task));
	if (!current_is_target())
		return 0;
	/* The preloaded library records accesses without a BPF program. So the process's name is
	 * recorded here. */
	if (recording)
		record_process(0);
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
