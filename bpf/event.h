/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Structures that the BPF programs, the iospan command and the preloaded library share. The app
 * area (struct app_area) is memory in which the library counts the calls of measured programs. A
 * span (struct span) measures T of a set of accesses: the time in which at least one of them is in
 * flight. It is busy while one is in flight, else idle. */
#ifndef IOSPAN_EVENT_H
#define IOSPAN_EVENT_H

#include "bpf/types.h"
#include "bpf/span-word.h"
#include "bpf/buckets.h"

enum layer { LAYER_APP, LAYER_VFS, LAYER_DEVICE, LAYERS };

/* Operations. The app layer has only OP_READ, OP_WRITE and OP_SYNC. */
enum op {
	OP_READ,
	OP_WRITE,
	OP_FLUSH,   /* device layer: flush of the disk's cache */
	OP_DISCARD, /* device layer: discard, secure erase */
	OP_OTHER,   /* device layer: write-zeroes, zone and pass-through commands */
	OP_SYNC,    /* app and vfs layer: fsync() and similar calls */
	/* vfs layer, only in traces: open() or a similar call opened an existing file */
	OP_OPEN,
	OP_CREATE, /* vfs layer, only in traces: open() or a similar call created the file */
	OP_CLOSE,  /* vfs layer, only in traces: close() */
	OP_MAX,
};
#define DEVICE_OPS (OP_OTHER + 1)

/* Counters of a set of accesses, with times in ns. */
struct row {
	u128 bytes;
	u128 latency_ns; /* sum of the latencies of the timed accesses */
	u64 accesses;
	u64 errors;
	/* number of accesses with a latency; iospan missed the start or end event of all others */
	u64 timed;
	u64 max_ns;
	/* device layer: sum of the times that requests spent in the I/O scheduler */
	u128 queued_ns;
	u64 queued; /* device layer: number of accesses that waited in the I/O scheduler */
	u64 pad[5];
	u64 hist[HIST_BUCKETS];
};
_Static_assert(sizeof(struct row) == 128 + 8 * HIST_BUCKETS, "kernel ABI");

enum trace_flag {
	TRACE_FAILED = 1,
	/* Only a part of an access, such as the time in flight until a requeue. T includes this
	 * interval, but no counter counts it as an access. */
	TRACE_PART = 2,
	/* An access without a latency, because iospan missed its start or end. If start < end, T
	 * includes the interval between them. */
	TRACE_UNTIMED = 4,
	/* The access is counted, but adds no interval to T: its times are not known, or another
	 * record has the interval. */
	TRACE_UNSPANNED = 8,
};
#define TRACE_NO_OFFSET (~0ULL)

/* A file, and an offset in it. For a device access, .offset is the offset on the disk. */
struct file_at {
	u64 inode; /* inode number; 0: there is no file */
	u64 offset;
	u32 dev; /* device number of the file system, major << 20 | minor */
	u32 pad;
};

/* A recorded access. An io_uring or libaio request is recorded once, although it is an access of
 * both the app layer and the vfs layer. */
struct recorded {
	u64 start_ns;
	u64 end_ns;
	u64 bytes;
	u64 offset;
	u64 inode; /* inode number of the file; 0: the file is not known */
	/* The meaning depends on the writer. Device layer: ns in which a requeued request was in
	 * flight; 0: it was not requeued. Preloaded library: lane_mark(), which shows that the
	 * entry is complete. */
	u64 held_ns;
	u32 dev; /* device number of the inode's file system */
	/* The meaning depends on the writer. Preloaded library: file descriptor plus 1. Device
	 * layer: index of the struct cell, which has the group, disk and operation. Other accesses:
	 * group number; 0: not known. */
	u32 group;
	u32 tgid;
	u8 layers; /* layers of the access: bit mask of 1 << enum layer */
	u8 op;	   /* operation, a value of enum op */
	u8 source; /* interface of the access, a value of enum source */
	u8 flags;  /* bits of enum trace_flag */
};
_Static_assert(sizeof(struct recorded) == 64, "one cache line");

/* An access of the device layer, as a BPF program writes it to a ring buffer. */
struct recorded_device {
	struct recorded access;
	u64 queued_ns;
};

/* Kinds of recorded names. The name of a process or file is recorded near its first access. */
enum named { NAMED_PROCESS, NAMED_FILE };
/* maximum number of path components in a record; from a longer path, the first components are cut
 * off */
#define NAMED_COMPONENTS 14
#define NAMED_LENGTH 128 /* bytes of a path component in a record; a longer component is cut */
struct named_record {
	u32 kind; /* kind of the name, a value of enum named */
	/* number of components; the last component of a path comes first; 1 for the name of a
	 * process */
	u32 components;
	u64 inode;
	u64 from_ns; /* time from which the inode or tgid has this name */
	u32 dev;
	u32 tgid;
	/* 1: the path starts at /; 0: the path starts at the root of the file's file system */
	u32 in_mount;
	u32 pad;
	char text[NAMED_COMPONENTS][NAMED_LENGTH];
};

/* ---- The app area: a BPF array of 64-byte lines, shared by the measured programs and iospan ----
 *
 * The preloaded library counts the app layer's accesses here. Measured programs inherit the file
 * descriptor of the app area, so a faulty program could overwrite the counters. This is why the app
 * area has no data of other layers. */
#define APP_MAGIC 0x31707061696f7370ULL
/* maximum number of calls in flight at one time; a power of two, so that some bits of a hash can
 * be the index */
#define APP_THREADS 4096
/* maximum number of entries of threads[] that a thread tries until it finds a free one */
#define APP_PROBES 64
/* number of copies of the counters; threads write to different copies, and so to different cache
 * lines */
#define APP_STRIPES 64
#define APP_OPS 3 /* number of operations of the app layer: read, write, sync */

enum app_span {
	APP_SPAN_READ,
	APP_SPAN_WRITE,
	APP_SPAN_SYNC,
	/* wait span of the app layer: busy while a read, write or sync is in flight */
	APP_SPAN_WAIT,
	/* busy while APP_SPAN_WAIT is busy, or while a read, write or flush of a disk is in
	 * flight */
	APP_SPAN_JOINT,
	APP_SPAN_ALL, /* T of the app layer: busy while a read or write is in flight */
	APP_SPANS,
};

/* Converts an enum app_span or enum vfs_op to an enum op. In both enums, 0 is read, 1 is write and
 * 2 is sync. */
static inline enum op op_of_call(u32 op)
{
	return op == APP_SPAN_SYNC ? OP_SYNC : (enum op)op;
}

/* Stages of a thread's call, in this order. APP_IDLE: there is no call. APP_ENTERING: the thread
 * adds the call to spans. APP_INSIDE: it is in libc's function. APP_LEAVING: it removes the call
 * from the spans. If the thread is killed, a BPF program removes the call from the spans. It finds
 * these spans by the stage. */
enum app_stage { APP_IDLE, APP_ENTERING, APP_INSIDE, APP_LEAVING };

/* Maximum number of spans that a thread changes when a call starts or ends. First it changes the
 * span of the operation. If this span got busy or idle, it also changes APP_SPAN_WAIT,
 * APP_SPAN_JOINT and APP_SPAN_ALL. A sync does not change APP_SPAN_ALL. */
#define APP_STEPS 4

/* One call in flight of a thread with the preloaded library. The entry is free if tid is 0. */
struct app_thread {
	u32 tid;   /* thread id, as gettid() returns it in the thread's pid namespace */
	u32 pidns; /* inode number of the pid namespace in which tid is valid; 0: not known */
	u32 stage;
	u8 op; /* operation of the call: APP_SPAN_READ, _WRITE or _SYNC */
	/* .begun: number of spans that the thread started to change. .ended: number of spans that
	 * it finished changing. */
	u8 begun, ended;
	u8 pad;
	u64 start_ns;
	u64 bytes; /* bytes that the call requested */
	/* If the thread is killed while it changes a span, a BPF program reads .held, .begun and
	 * .ended to find out which spans have changed. So the order of the writes matters: the
	 * thread writes .held and .begun, changes the span, and then writes .ended. */
	/* for each span that the call changes: span.word right after the call was added, or right
	 * before it was removed */
	u64 held[APP_STEPS];
};
_Static_assert(sizeof(struct app_thread) == 64, "one cache line");

struct app_head {
	u64 magic;
	u64 programs; /* number of programs started with the preloaded library */
	/* if recording: number of ring buffers after the app area; a power of two */
	u64 lanes;
	/* calls that were not recorded, because the ring buffer was full */
	u64 no_lane;
	u64 no_slot; /* calls not counted: no entry of threads[] was free */
	u64 async;   /* asynchronous calls, such as POSIX AIO; the library does not see their end */
	/* calls that did not return: a longjmp() or the exit of the thread ended them */
	u64 killed;
	/* calls not counted: seccomp forbids a system call of the library */
	u64 seccomp;
	/* number of shared libraries that bypass the preloaded library, because they were loaded
	 * with RTLD_DEEPBIND, or by dlmopen() into another namespace */
	u64 unbound;
	u64 pad[7];
};
_Static_assert(sizeof(struct app_head) == 128, "whole cache lines");

struct app_area {
	struct app_head head;
	struct span spans[APP_SPANS];
	struct app_thread threads[APP_THREADS];
	struct row rows[APP_STRIPES][APP_OPS];
};
_Static_assert(sizeof(struct app_area) % 64 == 0, "whole cache lines");

/* A ring buffer for the recorded accesses of several threads. A thread increments head to get an
 * entry. Then it sets the entry's tgid, fills in the other fields and, last, sets held_ns to
 * lane_mark(). iospan reads the entry after that, and sets its tgid to 0. */
#define LANE_ENTRIES 8192 /* a power of two: the low bits of head are the index */
struct record_lane {
	u64 head;
	u64 head_pad[7];
	u64 tail;
	u64 tail_pad[7];
	struct recorded entries[LANE_ENTRIES];
};

/* Returns the mark of a complete entry of struct record_lane. @entry is the value of head when a
 * thread reserved the entry. The array is reused in a circle, and each reuse of an element has
 * another mark. @pidns is the pid namespace in which the entry's tgid is valid. */
static inline u64 lane_mark(u64 entry, u32 pidns)
{
	return (entry + 1) << 32 | pidns;
}

/* Environment variables by which the preloaded library finds the app area. APP_ENV_FD has the
 * number of the app area's file descriptor. */
#define APP_ENV_FD "IOSPAN_FD"
/* pid of a process that keeps the app area's descriptor open. A program without the descriptor
 * copies it from that process. */
#define APP_ENV_PID "IOSPAN_PID"

static inline u32 app_step_span(u32 op, u32 step)
{
	return step ? APP_SPAN_WAIT + step - 1 : op;
}

/* Returns how many spans a call with operation @op changes if it makes the span of @op busy or
 * idle. */
static inline u32 app_steps(u32 op)
{
	return op == APP_SPAN_SYNC ? APP_STEPS - 1 : APP_STEPS;
}

/* Returns true if thread @t made the span of its operation busy or idle. Only then does the thread
 * also change the spans for all operations together, such as APP_SPAN_WAIT. */
static inline bool app_layer_changes(const struct app_thread *t)
{
	return span_count(t->held[0]) == 1;
}

/* Returns how many spans the killed thread @t changed. @enter is true if @t was adding its access
 * to the spans, and false if @t was removing it. @t has changed at least t->ended spans. It may
 * also have changed the next span, @s.
 *
 * If @t started to change @s, t->held[] has an earlier value of s->word. If @s has been busy since
 * then without a break, the function assumes that the access is in @s. If this is wrong, @s has one
 * access too few until it is idle. The opposite mistake would leave @s busy forever. */
static inline u32 app_steps_done(const struct app_thread *t, const struct span *s, bool enter)
{
	u32 done = *(const volatile u8 *)&t->ended;
	u64 word = span_read(&s->word);
	bool in;

	if (done >= APP_STEPS)
		return APP_STEPS;
	in = span_count(word) && !((word ^ t->held[done]) >> SPAN_COUNT_BITS);
	return done + (t->begun > done && in == enter);
}

static inline u32 app_thread_slot(u32 tid, u32 probe)
{
	return ((tid * 2654435769U >> 16) + probe) & (APP_THREADS - 1);
}

#endif
