/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a system call from entry to exit. A signal may interrupt the call. The kernel then
 * restarts the call or makes it fail with EINTR, and iospan counts one access (bpf/restart.bpf.c).
 * A cell (struct cell) has the indices of the counters and spans of one group and operation. */
#ifndef IOSPAN_CALL_BPF_H
#define IOSPAN_CALL_BPF_H

#include "bpf/vfs.bpf.h"

#define READS (1 << VFS_READ)
#define WRITES (1 << VFS_WRITE)
#define SYNCS (1 << VFS_SYNC)
#define OPENS (1 << VFS_OPEN)
#define CLOSES (1 << VFS_CLOSE)

/* A system call that a signal has interrupted, until the kernel restarts it or makes it fail. */
struct interrupted {
	/* .start_ns: time at which the call first started. .end_ns: time at which the signal
	 * interrupted it. */
	u64 start_ns, end_ns;
	u64 bytes; /* bytes that the interrupted call had requested */
	/* user stack pointer; the restarted call has the same .stack and .mark */
	u64 stack;
	/* bits 1 << enum vfs_op; 0: there is no interrupted call */
	u32 ops;
	u32 mark;
	/* Result of the call, such as -ERESTARTSYS. 0: the first signal handler has started and did
	 * not make the call fail, so the kernel will restart the call. */
	long code;
	u32 cells[VFS_OPS];
	struct file_at at[VFS_OPS];
};

/* The requests of an io_submit() that iospan cannot follow, because their memory is not resident
 * when the call starts. .first: index of the first of these requests. .n: their number. When the
 * call returns, iospan counts as lost those that the kernel has accepted. */
struct unread {
	u32 first, n;
};

/* State of a thread: its system call in flight, and its call that a signal has interrupted. */
struct call {
	u64 start_ns;
	/* base address of the program's dynamic loader; 0: the program is statically linked */
	u64 loader;
	/* mask of READS, WRITES, SYNCS, OPENS or CLOSES; 0: no call in flight. Only READS and
	 * WRITES can be set together. */
	u32 ops;
	u32 loader_known;
	/* per operation: index of the access's struct cell. 0: there was no room for a cell, or
	 * vfs_groups is false, so groups have no counters at the vfs layer. */
	u32 cells[VFS_OPS];
	u32 mark; /* if attached with fentry: kind and first parameter of the call */
	/* if recording: file and offset per operation; at[VFS_READ] is also for open() and
	 * close() */
	struct file_at at[VFS_OPS];
	struct interrupted interrupted;
	struct unread unread; /* of the io_submit() in flight */
};

struct calls_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
};
extern struct calls_map calls SEC(".maps");
extern const volatile u8 call_kinds[MAX_SYSCALLS];

/* Returns the enum call_kind of system call @number. If the fourth parameter of the call is a file
 * offset, the bit CALL_AT is also set. */
static __always_inline u32 call_flags(u64 number)
{
	return number < MAX_SYSCALLS ? call_kinds[number & (MAX_SYSCALLS - 1)] : CALL_NONE;
}

static __always_inline u32 call_kind(u64 number)
{
	return call_flags(number) & ~CALL_AT;
}

static __always_inline bool fd_is_storage(u32 fd)
{
	return file_is_storage(fd_file(fd));
}

/* Returns the operations of a call on storage, as a mask. For another call, such as a read() from a
 * socket, returns 0. */
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
		return file_counts(fd_file(a), VFS_SYNC) ? SYNCS : 0;
	case CALL_SYNC_FS:
		return fd_file(a) ? SYNCS : 0;
	case CALL_SYNC:
		return SYNCS;
	case CALL_OPEN:
		return OPENS;
	case CALL_CLOSE:
		return fd_is_storage(a) ? CLOSES : 0;
	}
	return 0;
}

/* Returns the number of bytes that a failed call had requested, at most MAX_RW_COUNT. Returns 0 for
 * calls that copy between two files (sendfile, splice). iospan cannot know which of the files has
 * failed, and the requested length is often only an upper bound. */
static __always_inline u64 call_asked(u32 kind, struct pt_regs *regs)
{
	switch (kind) {
	case CALL_READ:
	case CALL_WRITE:
		return transferable(PT_REGS_PARM3_SYSCALL(regs));
	case CALL_READV:
	case CALL_WRITEV:
		return bytes_asked(vector_bytes(PT_REGS_PARM2_SYSCALL(regs),
						PT_REGS_PARM3_SYSCALL(regs), IOV_BOUND));
	}
	return 0;
}

/* Identifies a call by its kind and first parameter (mostly the fd). With fentry, the kernel may
 * skip the program at an entry or exit. So iospan compares the marks: if they differ, the entry and
 * the exit belong to different calls. */
static __always_inline u32 call_mark(u32 kind, struct pt_regs *regs)
{
	return kind << 24 ^ (regs ? (u32)PT_REGS_PARM1_SYSCALL(regs) : 0);
}

/* Stores a call that a signal has interrupted. The call returned @code and had requested @bytes. If
 * the thread already has an interrupted call, that earlier call counts as lost. Its signal handler
 * has either left it by a jump, or made the call that is interrupted now. */
static __always_inline void call_interrupted(struct call *call, u32 ops, u32 kind,
					     struct pt_regs *regs, u64 now, u64 bytes, long code)
{
	struct interrupted *i = &call->interrupted;

	if (i->ops)
		count(&losses.calls);
	i->start_ns = call->start_ns;
	i->end_ns = now;
	i->bytes = bytes;
	i->stack = regs ? call_stack(regs) : 0;
	i->ops = ops;
	i->mark = call_mark(kind, regs);
	i->code = code;
	__builtin_memcpy(i->cells, call->cells, sizeof(i->cells));
	__builtin_memcpy(i->at, call->at, sizeof(i->at));
}

/* Returns true if this call is the restart of the interrupted call. A restart has the same stack
 * pointer and mark (kind and first parameter) as the interrupted call. A call by the signal handler
 * has another stack pointer. */
static __always_inline bool call_restarts(struct call *call, u32 kind, struct pt_regs *regs)
{
	struct interrupted *i = &call->interrupted;

	if (LIKELY(!i->ops) || !regs || i->stack != call_stack(regs) ||
	    i->mark != call_mark(kind, regs))
		return false;
	i->ops = 0;
	return true;
}

/* Reads the file offset at user address @at. If @at is NULL, the call uses the file position, and
 * the result is TRACE_NO_OFFSET. */
static __always_inline u64 offset_given(u64 at)
{
	u64 offset = TRACE_NO_OFFSET;

	if (at)
		bpf_probe_read_user(&offset, sizeof(offset), (void *)at);
	return offset;
}

static __always_inline void note_file(struct call *call, u32 op, u32 fd, u64 offset)
{
	struct file_at at = { .offset = offset };

	record_file(fd_file(fd), &at, op == VFS_WRITE ? FILE_WRITTEN : 0, 0);
	call->at[op] = at;
}

/* Returns true if the open() that returned @file created the file. With O_TMPFILE, it always
 * does. */
static __always_inline bool file_is_made(struct file *file)
{
	return BPF_CORE_READ(file, f_mode) & FMODE_CREATED ||
		BPF_CORE_READ(file, f_flags) & O_TMPFILE_BIT;
}

/* Stores the files and offsets of a call. Called at the entry, because the call changes the file
 * position. */
static __always_inline void note_files(struct call *call, u32 kind, struct pt_regs *regs, u32 ops)
{
	u32 a = PT_REGS_PARM1_SYSCALL(regs), b = PT_REGS_PARM2_SYSCALL(regs);
	u64 third = PT_REGS_PARM3_SYSCALL(regs), fourth = PT_REGS_PARM4_SYSCALL(regs);
	u64 offset = call_flags(call_number(regs)) & CALL_AT ? fourth : TRACE_NO_OFFSET;

	__builtin_memset(call->at, 0, sizeof(call->at));
	if (kind == CALL_SYNC || kind == CALL_OPEN)
		return;
	if (kind == CALL_SYNC_FD || kind == CALL_SYNC_FS) {
		note_file(call, VFS_SYNC, a, 0);
	} else if (kind == CALL_CLOSE) {
		note_file(call, VFS_READ, a, 0);
	} else if (kind == CALL_SENDFILE) {
		if (ops & READS)
			note_file(call, VFS_READ, b, offset_given(third));
		if (ops & WRITES)
			note_file(call, VFS_WRITE, a, TRACE_NO_OFFSET);
	} else if (kind == CALL_SPLICE) {
		if (ops & READS)
			note_file(call, VFS_READ, a, offset_given(PT_REGS_PARM2_SYSCALL(regs)));
		if (ops & WRITES)
			note_file(call, VFS_WRITE, third, offset_given(fourth));
	} else {
		note_file(call, ops & READS ? VFS_READ : VFS_WRITE, a, offset);
	}
}

/* Records the running thread's system call with operations @ops, which ended at @end. */
int record_ops(u32 ops, u64 end, u64 bytes, u32 flags);

/* Records an open() or close() of the running thread, which ended at @end and returned @ret. */
int record_handle(u32 ops, u64 end, s64 ret);

int add_op(u32 op, u32 cell, u64 bytes, bool failed, u64 ns);

static __always_inline void add_ops(struct call *call, u32 ops, u64 bytes, bool failed, u64 ns)
{
	for (u32 op = 0; op < VFS_OPS; op++)
		if (ops & (1 << op))
			add_op(op, call->cells[op], bytes, failed, ns);
}

/* Counts the thread's interrupted call as a failed access. Call this only if the thread has no call
 * in flight. */
int call_fail(void);

#endif
