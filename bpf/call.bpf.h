/* SPDX-License-Identifier: GPL-2.0-only */
/* A system call in flight, and what is recorded of it: which files, and where in them. */
#ifndef IOSPAN_CALL_BPF_H
#define IOSPAN_CALL_BPF_H

#include "bpf/vfs.bpf.h"

#define READS (1 << VFS_READ)
#define WRITES (1 << VFS_WRITE)
#define SYNCS (1 << VFS_SYNC)
#define OPENS (1 << VFS_OPEN)
#define CLOSES (1 << VFS_CLOSE)

/* A thread's call in flight, and where its program's loader lies. */
struct call {
	u64 start_ns;
	u64 loader;
	u32 ops; /* READS | WRITES, or one of the others; 0: none */
	u32 loader_known;
	u32 cells[VFS_OPS];	    /* of the group's, where groups have rows; else 0 */
	u32 mark;		    /* which one it is: see there */
	struct file_at at[VFS_OPS]; /* recording: what is read, written, synced; the first:
					 * closed */
};

struct calls_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
};
extern struct calls_map calls SEC(".maps");
extern const volatile u8 call_kinds[MAX_SYSCALLS]; /* enum call_kind */

/* With CALL_AT, which is no part of call_kind(). */
static __always_inline u32 call_told(u64 number)
{
	return number < MAX_SYSCALLS ? call_kinds[number & (MAX_SYSCALLS - 1)] : CALL_NONE;
}

static __always_inline u32 call_kind(u64 number)
{
	return call_told(number) & ~CALL_AT;
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
		return bytes_asked(iov_bytes(PT_REGS_PARM2_SYSCALL(regs),
					     PT_REGS_PARM3_SYSCALL(regs), IOV_BOUND));
	}
	return 0;
}

/* What tells a call from the thread's next, when ends and begins may have been left out (fentry):
 * its kind and first parameter. Two that have the same are of the same file, or of none. */
static __always_inline u32 call_mark(u32 kind, struct pt_regs *regs)
{
	return kind << 24 ^ (regs ? (u32)PT_REGS_PARM1_SYSCALL(regs) : 0);
}

/* Where the program says that it wants to read or write: @at is a parameter that points to
 * the offset, or NULL for the file's own position. */
static __always_inline u64 offset_told(u64 at)
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

/* By the call that opened it: a file without a name is never there before. */
static __always_inline bool file_is_made(struct file *file)
{
	return BPF_CORE_READ(file, f_mode) & FMODE_CREATED ||
		BPF_CORE_READ(file, f_flags) & O_TMPFILE_BIT;
}

/* Which files, and where, before the call moves on in them. */
static __always_inline void note_files(struct call *call, u32 kind, struct pt_regs *regs, u32 ops)
{
	u32 a = PT_REGS_PARM1_SYSCALL(regs), b = PT_REGS_PARM2_SYSCALL(regs);
	u64 third = PT_REGS_PARM3_SYSCALL(regs), fourth = PT_REGS_PARM4_SYSCALL(regs);
	u64 offset = call_told(call_number(regs)) & CALL_AT ? fourth : TRACE_NO_OFFSET;

	__builtin_memset(call->at, 0, sizeof(call->at));
	if (kind == CALL_SYNC || kind == CALL_OPEN)
		return;
	if (kind == CALL_SYNC_FD || kind == CALL_SYNC_FS) {
		note_file(call, VFS_SYNC, a, 0);
	} else if (kind == CALL_CLOSE) {
		note_file(call, VFS_READ, a, 0);
	} else if (kind == CALL_SENDFILE) {
		if (ops & READS)
			note_file(call, VFS_READ, b, offset_told(third));
		if (ops & WRITES)
			note_file(call, VFS_WRITE, a, TRACE_NO_OFFSET);
	} else if (kind == CALL_SPLICE) {
		if (ops & READS)
			note_file(call, VFS_READ, a, offset_told(PT_REGS_PARM2_SYSCALL(regs)));
		if (ops & WRITES)
			note_file(call, VFS_WRITE, third, offset_told(fourth));
	} else {
		note_file(call, ops & READS ? VFS_READ : VFS_WRITE, a, offset);
	}
}

/* The call of the running thread ends, in @ops. Global, as enter_ops(). */
int record_ops(u32 ops, u64 end, u64 bytes, u32 flags);

/* The same of one that opened or closed a file, and returned @ret. */
int record_handle(u32 ops, u64 end, s64 ret);

#endif
