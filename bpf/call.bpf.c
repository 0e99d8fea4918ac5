// SPDX-License-Identifier: GPL-2.0-only
/* System calls that read, write or sync files: from entry to exit, seen by one of
 * two backends. The tracepoints are on every call of the machine. With fentry, only
 * the calls that matter are touched (user/kernel/calls.c attaches). */
#include "bpf/vfs.bpf.h"
#include "bpf/aio.bpf.h"
#include "bpf/call.bpf.h"
#include "bpf/loader.bpf.h"

bool aio_used = false;
const volatile u8 call_kinds[MAX_SYSCALLS] = {}; /* enum call_kind */
struct calls_map calls SEC(".maps");

/* The dynamic loader's code is within this of its base address. */
#define LOADER_SIZE 0x40000
/* -ERESTARTSYS ... -ERESTART_RESTARTBLOCK: the call comes again. */
#define RESTART_MIN -516
#define RESTART_MAX -512

/* Vectors that are read at once: a read costs more than a sum. */
#define IOV_CHUNK 8

struct user_iovec {
	u64 base;
	u64 len;
};

__noinline u64 iov_bytes(u64 iov, u32 n, u32 most)
{
	u32 end = n < most ? n : most;
	u64 bytes = 0;

	for (u32 i = 0; i < IOV_BOUND && i < end; i += IOV_CHUNK) {
		struct user_iovec v[IOV_CHUNK] = {};
		u64 left = end - i;

		barrier_var(left); /* or the verifier of Linux 6.1 sees no bound */
		if (left > IOV_CHUNK)
			left = IOV_CHUNK;
		if (bpf_probe_read_user(v, left * sizeof(*v), (void *)(iov + i * sizeof(*v))))
			return bytes | BYTES_MORE;
		for (u32 k = 0; k < IOV_CHUNK; k++) {
			if (v[k].len > MAX_RW_COUNT)
				return MAX_RW_COUNT;
			bytes += v[k].len;
		}
	}
	if (bytes > MAX_RW_COUNT)
		return MAX_RW_COUNT;
	return end < n || n > IOV_BOUND ? bytes | BYTES_MORE : bytes;
}

/* What the loader reads to put a program together is not the program's I/O: no
 * layer above could ever show it. Looked up once per thread and program. */
static __always_inline bool by_loader(struct task_struct *task, struct call *call, u64 ip)
{
	if (!call->loader_known) {
		call->loader = loader_base(task);
		call->loader_known = 1;
	}
	return call->loader && ip - call->loader < LOADER_SIZE;
}

/* Begins and ends the set @ops. Global functions: the verifier walks through them
 * once, and not with every state that a call can be in. */
__noinline int enter_ops(u32 ops, u64 now)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			vfs_enter(op, now);
	return 0;
}

__noinline int leave_ops(u32 ops, u64 now)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			vfs_leave(op, now);
	return 0;
}

/* Starts or ends the set @ops in the cells of @call's group. Returns the operations with cells that
 * do not lead to the spans of the layer. */
static __always_inline u32 turn_cells(struct call *call, u32 ops, u64 now, bool busy)
{
	u32 left = ops;

	for (u32 op = 0; op < VFS_OPS; op++) {
		if (!(ops & (1 << op)))
			continue;
		vfs_cell_turn(call->cells[op], now, busy);
		if (cell_turns_layer(call->cells[op]))
			left &= ~(1 << op);
	}
	return left;
}

static __always_inline void turn_ops(struct call *call, u32 ops, u64 now, bool busy)
{
	if (vfs_groups)
		ops = turn_cells(call, ops, now, busy);
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

/* What cannot be opened is no file. */
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

/* A call whose end was not seen is over: its thread makes another one, or ends. */
static __always_inline void call_forget(struct call *call)
{
	u32 ops = call->ops;
	u64 now;

	if (!ops)
		return;
	call->ops = 0;
	now = bpf_ktime_get_ns();
	turn_ops(call, ops, now, false);
	count(&losses.calls);
	if (recording)
		record_ops(ops, now, 0, TRACE_PART);
}

/* @unseen: begins and ends may have been left out (fentry). */
static __always_inline int call_begin(struct pt_regs *regs, u32 kind, bool unseen)
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
	if (!ops && !unseen)
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
	if (unseen)
		call->mark = call_mark(kind, regs);
	call->start_ns = now;
	turn_ops(call, ops, now, true);
	return 0;
}

/* An access of operation @op and of @cell is over. Global, as enter_ops(). */
int add_op(u32 op, u32 cell, u64 bytes, bool failed, u64 ns);
__noinline int add_op(u32 op, u32 cell, u64 bytes, bool failed, u64 ns)
{
	if (op >= VFS_OPS)
		return 0;
	add_access(row_here(ROW_VFS(SRC_SYSCALL, op)), bytes, failed, ns, 0);
	if (vfs_groups)
		cell_add(cell, bytes, failed, ns, 0);
	return 0;
}

static __always_inline void add_ops(struct call *call, u32 ops, u64 bytes, bool failed, u64 ns)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			add_op(op, call->cells[op], bytes, failed, ns);
}

static __always_inline int call_end(struct pt_regs *regs, u32 kind, long ret, bool unseen)
{
	struct call *call;
	u64 now, bytes;
	bool again;
	u32 ops;

	if (kind == CALL_NONE)
		return 0;
	/* whoever has been moved to another group meanwhile still ends his call */
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	if (!call || !call->ops)
		return 0;
	if (unseen && call->mark != call_mark(kind, regs)) { /* this one's begin, and that end */
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
	turn_ops(call, ops, now, false);
	again = ret >= RESTART_MIN && ret <= RESTART_MAX;
	if (recording)
		record_ops(ops, now, again ? 0 : bytes,
			   again	   ? TRACE_PART :
				   ret < 0 ? TRACE_FAILED :
					     0);
	if (again)
		return 0;
	add_ops(call, ops, bytes, ret < 0, now - call->start_ns);
	return 0;
}

static __always_inline int aio_begin(struct pt_regs *regs, u32 kind)
{
	if (!has_loop || kind != CALL_IO_SUBMIT || !current_is_target() ||
	    task_is_32bit(bpf_get_current_task_btf()))
		return 0;
	aio_used = true;
	aio_submit(regs);
	return 0;
}

static __always_inline int aio_end(struct pt_regs *regs, u32 kind, long ret)
{
	if (!has_loop || !current_is_target() || task_is_32bit(bpf_get_current_task_btf()))
		return 0;
	if (kind == CALL_IO_SUBMIT)
		aio_submitted(regs, ret);
	else if (kind == CALL_IO_GETEVENTS)
		aio_events(regs, ret);
	else
		aio_end_all(PT_REGS_PARM1_SYSCALL(regs));
	return 0;
}

/* ---- tracepoints ---- */

/* The ends first, as they are attached in this order: no begin is without its end. */
SEC("tp_btf/sys_exit")
int BPF_PROG(on_call_end, struct pt_regs *regs, long ret)
{
	u32 kind = call_kind(call_number(regs));

	return kind < CALL_IO_SUBMIT ? call_end(regs, kind, ret, false) : aio_end(regs, kind, ret);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_call, struct pt_regs *regs, long number)
{
	u32 kind = call_kind(number);

	return kind < CALL_IO_SUBMIT ? call_begin(regs, kind, false) : aio_begin(regs, kind);
}

/* ---- fentry: the function of each call has a stub of its own, a copy of one here.
 * It goes on in a program that all share, so that one is verified and not one per
 * call. The kernel wants the functions' types to be the same for that, and they come
 * in two: what a kernel can be built without, as libaio, has its parameter by another
 * name. ---- */

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
	return call_begin(regs, call_kind(call_number(regs)), true);
}

SEC("fexit")
int BPF_PROG(on_function_end, struct pt_regs *regs, long ret)
{
	return call_end(regs, call_kind(call_number(regs)), ret, true);
}

SEC("fentry")
int BPF_PROG(on_function2, struct pt_regs *regs)
{
	u32 kind = call_kind(call_number(regs));

	return kind < CALL_IO_SUBMIT ? call_begin(regs, kind, true) : aio_begin(regs, kind);
}

SEC("fexit")
int BPF_PROG(on_function_end2, struct pt_regs *regs, long ret)
{
	u32 kind = call_kind(call_number(regs));

	return kind < CALL_IO_SUBMIT ? call_end(regs, kind, ret, true) : aio_end(regs, kind, ret);
}

/* The function of sync() takes nothing and is not in the BTF. */
SEC("fentry/ksys_sync")
int BPF_PROG(on_sync)
{
	return call_begin(NULL, CALL_SYNC, true);
}

SEC("fexit/ksys_sync")
int BPF_PROG(on_sync_end)
{
	return call_end(NULL, CALL_SYNC, 0, true);
}

/* ---- the ends of programs ---- */

/* A new program in this thread: another loader, and none of the old one's libaio
 * requests. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_call_exec, struct task_struct *task)
{
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);

	if (has_loop && aio_used && current_is_target())
		aio_end_all(0);
	if (call)
		call->loader_known = 0;
	return 0;
}

/* The kernel no longer counts a thread that exits as live. The leader is not always the last. */
static __always_inline bool was_last_thread(struct task_struct *task)
{
	u32 live = 0;

	bpf_core_read(&live, sizeof(live), &task->signal->live);
	return !live;
}

/* When the last thread exits, the kernel waits for the libaio requests of the program. Their
 * events are not fetched any more. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_call_exit, struct task_struct *task)
{
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);

	if (call)
		call_forget(call);
	if (has_loop && aio_used && was_last_thread(task) && current_is_target())
		aio_end_all(0);
	return 0;
}
