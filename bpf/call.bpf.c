// SPDX-License-Identifier: GPL-2.0
/* System calls that read, write or sync files: from entry to exit. */
#include "vfs.bpf.h"
#include "aio.bpf.h"
#include "loader.bpf.h"

bool aio_used = false;
const volatile u8 call_kinds[MAX_SYSCALLS] = {};	/* enum call_kind */

#define READS (1 << VFS_READ)
#define WRITES (1 << VFS_WRITE)
#define SYNCS (1 << VFS_SYNC)
/* The dynamic loader's code is within this of its base address. */
#define LOADER_SIZE 0x40000
/* -ERESTARTSYS ... -ERESTART_RESTARTBLOCK: the call comes again. */
#define RESTART_MIN -516
#define RESTART_MAX -512

/* A thread's call in flight, and where its program's loader lies. */
struct call {
	u64 start_ns;
	u64 loader;
	u32 ops;	/* READS | WRITES, or SYNCS; 0: none */
	u32 loader_known;
};

struct calls_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
};
struct calls_map calls SEC(".maps");

static __always_inline u32 call_kind(u64 number)
{
	return number < MAX_SYSCALLS ? call_kinds[number & (MAX_SYSCALLS - 1)] : CALL_NONE;
}

static __always_inline bool fd_is_storage(u32 fd)
{
	return file_is_storage(fd_file(fd));
}

/* What this call would be if it works: a set of operations. */
static __always_inline u32 call_ops(u32 kind, struct pt_regs *regs)
{
	u32 a = PT_REGS_PARM1_SYSCALL(regs), b = PT_REGS_PARM2_SYSCALL(regs);
	u32 c = PT_REGS_PARM3_SYSCALL(regs);

	switch (kind) {
	case CALL_READ:
	case CALL_READV:
		return fd_is_storage(a) ? READS : 0;
	case CALL_WRITE:
	case CALL_WRITEV:
		return fd_is_storage(a) ? WRITES : 0;
	case CALL_SENDFILE:
		return (fd_is_storage(b) ? READS : 0) | (fd_is_storage(a) ? WRITES : 0);
	case CALL_SPLICE:
		return (fd_is_storage(a) ? READS : 0) | (fd_is_storage(c) ? WRITES : 0);
	case CALL_SYNC_FD:
		return fd_is_storage(a) ? SYNCS : 0;
	case CALL_SYNC:
		return SYNCS;
	}
	return 0;
}

/* What a call that failed had asked for. Of a copy that is not known: which end
 * refused is not told, and the length is a bound ("as much as there is") more
 * often than a request. */
static __always_inline u64 call_asked(u32 kind, struct pt_regs *regs)
{
	switch (kind) {
	case CALL_READ:
	case CALL_WRITE:
		return PT_REGS_PARM3_SYSCALL(regs);
	case CALL_READV:
	case CALL_WRITEV:
		return iov_bytes(PT_REGS_PARM2_SYSCALL(regs), PT_REGS_PARM3_SYSCALL(regs));
	}
	return 0;
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

SEC("tp_btf/sys_enter")
int BPF_PROG(on_call, struct pt_regs *regs, long number)
{
	u32 kind = call_kind(number), ops;
	struct task_struct *task;
	struct call *call;
	u64 now;

	if (kind == CALL_NONE || !current_is_target())
		return 0;
	task = bpf_get_current_task_btf();
	if (task_is_32bit(task))
		return 0;
	if (kind >= CALL_IO_SUBMIT) {
		if (has_loop && kind == CALL_IO_SUBMIT) {
			aio_used = true;
			aio_submit(regs);
		}
		return 0;
	}
	ops = call_ops(kind, regs);
	if (!ops)
		return 0;
	call = bpf_task_storage_get(&calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!call) {
		count(&losses.no_storage);
		return 0;
	}
	if (kind == CALL_READ && by_loader(task, call, call_ip(regs))) {
		count(&notes.loader);
		return 0;
	}
	now = bpf_ktime_get_ns();
	call->ops = ops;
	call->start_ns = now;
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			vfs_enter(op, now);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_call_end, struct pt_regs *regs, long ret)
{
	u32 kind = call_kind(call_number(regs)), ops;
	struct call *call;
	u64 now, bytes;

	if (kind == CALL_NONE)
		return 0;
	if (kind >= CALL_IO_SUBMIT) {
		if (!current_is_target())
			return 0;
		if (has_loop && kind == CALL_IO_SUBMIT)
			aio_submitted(regs, ret);
		else if (has_loop && kind == CALL_IO_GETEVENTS)
			aio_events(regs, ret);
		else if (has_loop)
			aio_end_all(PT_REGS_PARM1_SYSCALL(regs));
		return 0;
	}
	/* whoever has been moved to another group meanwhile still ends his call */
	call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	if (!call || !call->ops)
		return 0;
	ops = call->ops;
	call->ops = 0;
	now = bpf_ktime_get_ns();
	bytes = ret < 0 ? call_asked(kind, regs) : ret;
	if (ops & SYNCS)
		bytes = 0;
	for (u32 op = 0; op < VFS_OPS; op++) {
		if (!(ops & (1 << op)))
			continue;
		vfs_leave(op, now);
		if (ret >= RESTART_MIN && ret <= RESTART_MAX)
			continue;
		add_access(ROW_VFS(SRC_SYSCALL, op), bytes, ret < 0, now - call->start_ns, 0);
	}
	return 0;
}

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

/* The end of a program: the kernel waits for its libaio requests, and nobody
 * fetches their events any more. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_call_exit, struct task_struct *task)
{
	if (has_loop && aio_used && task->pid == task->tgid && current_is_target())
		aio_end_all(0);
	return 0;
}
