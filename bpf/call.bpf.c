// SPDX-License-Identifier: GPL-2.0-only
/* Measures system calls that read, write or sync files, from entry to exit. user/kernel/calls.c
 * attaches the programs for one of three backends: tracepoints, kprobes, or fentry. A cell (struct
 * cell) has the indices of the counters and spans of one group and operation. A group is a cgroup
 * or process with counters of its own. */
#include "bpf/aio.bpf.h"
#include "bpf/call.bpf.h"
#include "bpf/loader.bpf.h"

bool aio_used = false;
const volatile u8 call_kinds[MAX_SYSCALLS] = {};
struct calls_map calls SEC(".maps");

/* upper bound of the size of the dynamic loader's code, in bytes */
#define LOADER_SIZE 0x40000

/* Returns true if the instruction at @ip is in the dynamic loader. The app layer (libiospan.so)
 * cannot see the loader's reads, so the vfs layer does not count them either. The loader's address
 * is looked up once per thread and program. */
static __always_inline bool by_loader(struct task_struct *task, struct call *call, u64 ip)
{
	if (!call->loader_known) {
		call->loader = loader_base(task);
		call->loader_known = 1;
	}
	return call->loader && ip - call->loader < LOADER_SIZE;
}

/* enter_ops() adds an access of each operation in mask @ops to the spans of the whole vfs layer.
 * leave_ops() removes them. */
__noinline int enter_ops(u32 ops, u64 now)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			access_vfs(NULL, op, now, true);
	return 0;
}

__noinline int leave_ops(u32 ops, u64 now)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			access_vfs(NULL, op, now, false);
	return 0;
}

/* If @busy, adds an access of each operation in @ops to the spans of the task's group, otherwise
 * removes one. For some operations, this also changes the spans of the whole vfs layer. Returns the
 * other operations. For these, the caller must change the spans of the layer. */
static __always_inline u32 access_cells(struct call *call, u32 ops, u64 now, bool busy)
{
	u32 left = ops;

	for (u32 op = 0; op < VFS_OPS; op++) {
		if (!(ops & (1 << op)))
			continue;
		vfs_cell_access(call->cells[op], now, busy);
		if (cell_feeds_layer(call->cells[op]))
			left &= ~(1 << op);
	}
	return left;
}

static __always_inline void access_ops(struct call *call, u32 ops, u64 now, bool busy)
{
	if (vfs_groups)
		ops = access_cells(call, ops, now, busy);
	if (!ops)
		return;
	if (busy)
		enter_ops(ops, now);
	else
		leave_ops(ops, now);
}

static __always_inline void find_cells(struct call *call, u32 ops)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			call->cells[op] = vfs_cell(op);
}

__noinline int record_ops(u32 ops, u64 end, u64 bytes, u32 flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call *call = recording ? bpf_task_storage_get(&calls, task, NULL, 0) : NULL;

	if (!call)
		return 0;
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			record_vfs(1 << LAYER_VFS, op_of_call(op), SRC_SYSCALL, &call->at[op],
				   call->start_ns, end, bytes, flags, task->tgid);
	return 0;
}

__noinline int record_handle(u32 ops, u64 end, s64 ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call *call = recording ? bpf_task_storage_get(&calls, task, NULL, 0) : NULL;
	struct file_at at = {};
	u32 op = OP_CLOSE;

	if (!call)
		return 0;
	if (ops & OPENS) {
		struct file *file = ret < 0 ? NULL : fd_file(ret);

		if (!file_is_storage(file))
			return 0;
		record_process(end);
		op = file_is_made(file) ? OP_CREATE : OP_OPEN;
		record_file(file, &at, op == OP_CREATE ? FILE_MADE : 0, end);
		call->at[VFS_READ] = at;
	}
	record_vfs(1 << LAYER_VFS, op, SRC_SYSCALL, &call->at[VFS_READ], call->start_ns, end, 0,
		   ret < 0 ? TRACE_FAILED : 0, task->tgid);
	return 0;
}

/* If the thread has a call in flight, ends it and counts it as lost, because no BPF program saw its
 * exit. */
static __always_inline void call_forget(struct call *call)
{
	u32 ops = call->ops;
	u64 now;

	if (!ops)
		return;
	call->ops = 0;
	now = bpf_ktime_get_ns();
	access_ops(call, ops, now, false);
	count(&losses.calls);
	if (recording)
		record_ops(ops, now, 0, TRACE_PART);
}

/* Starts the accesses of a system call. If @gaps is true, the kernel may have skipped the program
 * at the exit of the thread's previous call. So call_forget() ends that call. */
static __always_inline int call_entry(struct pt_regs *regs, u32 kind, bool gaps)
{
	struct task_struct *task;
	struct call *call;
	u32 ops;
	u64 now;

	if (kind == CALL_NONE || !current_is_target())
		return 0;
	task = bpf_get_current_task_btf();
	if (task_is_32bit(task))
		return 0;
	ops = call_ops(kind, regs);
	if (!ops && !gaps)
		return 0;
	call = bpf_task_storage_get(&calls, task, NULL, ops ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	if (!call && ops)
		count(&losses.no_storage);
	if (!call)
		return 0;
	call_forget(call);
	if (!ops)
		return 0;
	if ((kind == CALL_READ || ops & (OPENS | CLOSES)) && by_loader(task, call, call_ip(regs))) {
		if (kind == CALL_READ)
			count(&notes.loader);
		return 0;
	}
	if (recording) {
		if (!(ops & OPENS))
			record_process(0);
		note_files(call, kind, regs, ops);
	}
	if (vfs_groups)
		find_cells(call, ops);
	now = bpf_ktime_get_ns();
	call->ops = ops;
	if (gaps)
		call->mark = call_mark(kind, regs);
	call->start_ns = call_restarts(call, kind, regs) ? call->interrupted.start_ns : now;
	access_ops(call, ops, now, true);
	return 0;
}

__noinline int add_op(u32 op, u32 cell, u64 bytes, bool failed, u64 ns)
{
	if (op >= VFS_OPS)
		return 0;
	add_access(row_here(ROW_VFS(SRC_SYSCALL, op)), bytes, failed, ns, 0);
	if (vfs_groups)
		cell_add(cell, bytes, failed, ns, 0);
	return 0;
}

static __always_inline int call_exit(struct pt_regs *regs, u32 kind, long ret, bool gaps)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call *call;
	u64 now, bytes;
	u32 ops;

	/* The cgroup is not tested, because a task that has moved to another cgroup must end its
	 * access, too. bpf_storage is NULL in most tasks that were never measured. It is tested
	 * first, because this is cheaper than a look-up. */
	if (kind == CALL_NONE || !UNTRUSTED(task)->bpf_storage)
		return 0;
	call = bpf_task_storage_get(&calls, task, NULL, 0);
	if (!call || !call->ops)
		return 0;
	if (gaps &&
	    /* The mark is the kind and first parameter of a call. If it differs, the call that ends
	     * is not the stored call: the kernel skipped the program at the exit of the stored
	     * call, and at the entry of this call. */
	    call->mark != call_mark(kind, regs)) {
		call_forget(call);
		return 0;
	}
	ops = call->ops;
	call->ops = 0;
	now = bpf_ktime_get_ns();
	if (ops & (OPENS | CLOSES))
		return record_handle(ops, now, ret);
	bytes = ret < 0 ? call_asked(kind, regs) : ret;
	if (ops & SYNCS)
		bytes = 0;
	access_ops(call, ops, now, false);
	if (UNLIKELY(ret <= -ERESTARTSYS && ret >= -ERESTART_RESTARTBLOCK)) {
		call_interrupted(call, ops, kind, regs, now, bytes, ret);
		return 0;
	}
	if (recording)
		record_ops(ops, now, bytes, ret < 0 ? TRACE_FAILED : 0);
	add_ops(call, ops, bytes, ret < 0, now - call->start_ns);
	return 0;
}

static __always_inline int any_entry(struct pt_regs *regs, u32 kind, bool gaps)
{
	return kind < CALL_IO_SUBMIT ? call_entry(regs, kind, gaps) : aio_entry(regs, kind);
}

static __always_inline int any_exit(struct pt_regs *regs, u32 kind, long ret, bool gaps)
{
	return kind < CALL_IO_SUBMIT ? call_exit(regs, kind, ret, gaps) : aio_exit(regs, kind, ret);
}

/* iospan attaches this program before on_call(). So each call that runs on_call() at its entry also
 * runs this program at its exit. */
SEC("tp_btf/sys_exit")
int BPF_PROG(on_call_end, struct pt_regs *regs, long ret)
{
	return any_exit(regs, call_kind(call_number(regs)), ret, false);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_call, struct pt_regs *regs, long number)
{
	return any_entry(regs, call_kind(number), false);
}

static __always_inline struct pt_regs *call_regs(void)
{
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* This program runs at the entry of the kernel function of each measured system call, and the next
 * program at the exit. Other system calls cost nothing. */
SEC("kprobe.multi")
int on_call_kprobe(struct pt_regs *function)
{
	struct pt_regs *regs = call_regs();

	return any_entry(regs, call_kind(call_number(regs)), true);
}

SEC("kretprobe.multi")
int on_call_kprobe_end(struct pt_regs *function)
{
	struct pt_regs *regs = call_regs();

	return any_exit(regs, call_kind(call_number(regs)), PT_REGS_RC(function), true);
}

/* ---- Programs for fentry ----
 *
 * The kernel function of each system call gets a copy of a small program, the stub. The stub
 * tail-calls a shared program, so that the verifier checks this program only once. Since Linux
 * 6.12, a stub and its shared program must be made for functions of the same BTF type. The
 * functions have two types, because some, such as those of libaio, have another name of the
 * parameter. So there are two sets of programs. */

struct shared_map {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
};
struct shared_map shared_entry SEC(".maps"), shared_exit SEC(".maps");
struct shared_map shared_entry2 SEC(".maps"), shared_exit2 SEC(".maps");

#define STUB(attach, name, map) \
	SEC(attach) int BPF_PROG(name) \
	{ \
		bpf_tail_call(ctx, map, 0); \
		return 0; \
	}
STUB("fentry", function_stub, &shared_entry)
STUB("fexit", function_stub_end, &shared_exit)
STUB("fentry", function_stub2, &shared_entry2)
STUB("fexit", function_stub_end2, &shared_exit2)

SEC("fentry")
int BPF_PROG(on_function, struct pt_regs *regs)
{
	return call_entry(regs, call_kind(call_number(regs)), true);
}

SEC("fexit")
int BPF_PROG(on_function_end, struct pt_regs *regs, long ret)
{
	return call_exit(regs, call_kind(call_number(regs)), ret, true);
}

SEC("fentry")
int BPF_PROG(on_function2, struct pt_regs *regs)
{
	return any_entry(regs, call_kind(call_number(regs)), true);
}

SEC("fexit")
int BPF_PROG(on_function_end2, struct pt_regs *regs, long ret)
{
	return any_exit(regs, call_kind(call_number(regs)), ret, true);
}

/* Attached to ksys_sync(), which the system call sync() runs. The kernel function of sync() itself
 * is not in the BTF, because it has no parameters. */
SEC("fentry/ksys_sync")
int BPF_PROG(on_sync)
{
	return call_entry(NULL, CALL_SYNC, true);
}

SEC("fexit/ksys_sync")
int BPF_PROG(on_sync_end)
{
	return call_exit(NULL, CALL_SYNC, 0, true);
}

/* After exec, the address of the dynamic loader is no longer valid. exec destroys the libaio
 * contexts of the process, and so ends its libaio requests. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_call_exec, struct task_struct *task)
{
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);

	if (has_loop && aio_used)
		aio_end_all(0);
	if (!call)
		return 0;
	call->loader_known = 0;
	call_fail();
	return 0;
}

static __always_inline bool was_last_thread(struct task_struct *task)
{
	u32 live = 0;

	bpf_core_read(&live, sizeof(live), &UNTRUSTED(task)->signal->live);
	return !live;
}

/* Ends the call of a thread that exits. If it is the last thread of its process, also ends the
 * libaio requests of the process, because no thread can fetch their events any more. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_call_exit, struct task_struct *task)
{
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);

	if (call) {
		call_forget(call);
		call_fail();
	}
	if (has_loop && aio_used && was_last_thread(task))
		aio_end_all(0);
	return 0;
}
