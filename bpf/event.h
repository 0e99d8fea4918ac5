/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Structures that the BPF programs, the iospan command and the preloaded library share. Their sizes
 * are fixed and they contain no pointers. */
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
	OP_FLUSH,   /* device layer: cache flush */
	OP_DISCARD, /* device layer: discard, secure erase */
	OP_OTHER,   /* device layer: write-zeroes, zone and pass-through commands */
	OP_SYNC,    /* app and vfs layer: fsync() and similar calls */
	OP_OPEN,    /* vfs layer, only recorded: open() or a similar call opened an existing file */
	OP_CREATE,  /* vfs layer, only recorded: open() or a similar call created the file */
	OP_CLOSE,   /* vfs layer, only recorded: close() */
	OP_MAX,
};
#define DEVICE_OPS (OP_OTHER + 1)

/* Counters of one set of accesses. Times are in ns. */
struct row {
	u128 bytes;
	u128 latency_ns; /* sum of the latencies of the accesses that have one */
	u64 accesses;
	u64 errors;
	u64 timed; /* number of accesses that have a latency; <= accesses */
	u64 max_ns;
	/* device layer: sum of the times that requests waited in the I/O scheduler */
	u128 queued_ns;
	u64 queued; /* device layer: number of accesses that waited in the I/O scheduler */
	u64 pad[5];
	u64 hist[HIST_BUCKETS];
};
_Static_assert(sizeof(struct row) == 128 + 8 * HIST_BUCKETS, "kernel ABI");

/* ---- Recording: a struct recorded is written for each access and read into the trace ---- */

enum trace_flag {
	TRACE_FAILED = 1,
	/* An interval that ended by a requeue or without a completion. It is no access and has no
	 * bytes. The last interval of the request has the bytes, and has the length of all
	 * intervals in held_ns. */
	TRACE_PART = 2,
	/* An access with a start or end that no BPF program saw. It has bytes but no latency. It
	 * has an interval only if start < end. */
	TRACE_UNTIMED = 4,
	TRACE_UNSPANNED = 8, /* an access that has bytes, but no interval */
};
#define TRACE_NO_OFFSET (~0ULL)

/* A position in a file. */
struct file_at {
	u64 inode; /* inode number; 0: there is no file */
	u64 offset;
	u32 dev; /* device number of the file system, major << 20 | minor */
	u32 pad;
};

/* A recorded access. An io_uring or libaio request is an access of two layers, app and vfs. */
struct recorded {
	u64 start_ns;
	u64 end_ns;
	u64 bytes;
	u64 offset;
	u64 inode; /* inode number; 0: no file is known */
	/* length of all intervals of a requeued request; in a struct record_lane, lane_mark()
	 * instead */
	u64 held_ns;
	u32 dev; /* device number of the inode's file system */
	/* app and vfs layer: number of the task's group; 0: not known. The preloaded library writes
	 * the file descriptor plus 1 instead. Device layer: number of the struct cell. */
	u32 group;
	u32 tgid;
	u8 layers; /* bit mask: 1 << enum layer */
	u8 op;	   /* a value of enum op */
	u8 source; /* a value of enum source */
	u8 flags;  /* bits of enum trace_flag */
};
_Static_assert(sizeof(struct recorded) == 64, "one cache line");

/* An access of the device layer in the ring buffers. */
struct recorded_device {
	struct recorded access;
	u64 queued_ns; /* time that the request has waited in the I/O scheduler */
};

/* The name of a process or file. It is recorded before the first access of that process or file, or
 * soon after it. */
enum named { NAMED_PROCESS, NAMED_FILE };
#define NAMED_COMPONENTS 14 /* components of a path that are recorded, counted from its end */
#define NAMED_LENGTH 128    /* bytes of a component in the record; a longer one is cut */
struct named_record {
	u32 kind; /* a value of enum named */
	/* number of components in text, 1 for a process; the last component of a path comes
	 * first */
	u32 components;
	u64 inode;
	u64 from_ns; /* time from which on the name is valid */
	u32 dev;
	u32 tgid;
	u32 in_mount; /* 1: a path starts at the root directory; 0: at the root of the file system */
	u32 pad;
	char text[NAMED_COMPONENTS][NAMED_LENGTH];
};

/* ---- The app area: a mapped array that the measured programs write ----
 *
 * The measured command and its children inherit the file descriptor of this array. It holds only
 * numbers of the app layer, so a program that overwrites it spoils no other layer. For the kernel
 * it is a BPF array of 64-byte lines. */
#define APP_MAGIC 0x31707061696f7370ULL
#define APP_THREADS 4096 /* maximum of calls in flight at the same time; must be a power of two */
#define APP_PROBES 64	 /* entries of threads[] that a thread tries, from app_thread_slot() on */
/* number of copies of the counters; different threads add to different copies */
#define APP_STRIPES 64
#define APP_OPS 3 /* number of operations: read, write, sync */

enum app_span {
	APP_SPAN_READ,
	APP_SPAN_WRITE,
	APP_SPAN_SYNC,
	APP_SPAN_ALL,	/* reads and writes together: T of the app layer */
	APP_SPAN_JOINT, /* joint span of the app and device layers */
	APP_SPANS,
};

/* Returns the enum op of @op, an enum app_span or enum vfs_op. Both have the same values for read,
 * write and sync. */
static inline enum op op_of_call(u32 op)
{
	return op == APP_SPAN_SYNC ? OP_SYNC : (enum op)op;
}

/* Stages of a thread during a call. If the thread is killed in APP_ENTERING or APP_LEAVING, held,
 * begun and ended in struct app_thread show which spans it has changed. */
enum app_stage { APP_IDLE, APP_ENTERING, APP_INSIDE, APP_LEAVING };

/* Spans that a thread changes at the start or end of a call, in this order: the span of the
 * operation, APP_SPAN_ALL, APP_SPAN_JOINT. It changes the last two only if the span of the
 * operation changed between idle and busy. */
#define APP_STEPS 3

/* A thread's call in flight. The entry is free if tid is 0. */
struct app_thread {
	u32 tid;   /* thread id, as gettid() returns it in the thread's pid namespace */
	u32 stage; /* a value of enum app_stage */
	u32 op;	   /* operation of the call: APP_SPAN_READ, _WRITE or _SYNC */
	u32 pidns; /* inode number of the pid namespace of tid; 0: not known */
	u64 start_ns;
	u64 bytes; /* bytes that the call requested */
	/* The progress of the thread in APP_ENTERING or APP_LEAVING. It writes held, then begun,
	 * before it tries to change a span. After the change, it writes ended. */
	u64 held[APP_STEPS]; /* the span word that includes this access, per step */
	u32 begun, ended;    /* numbers of steps that the thread has begun and ended */
};
_Static_assert(sizeof(struct app_thread) == 64, "one cache line");

struct app_head {
	u64 magic;
	u64 programs; /* number of execs of programs that loaded the preloaded library */
	/* recording: number of struct record_lane after the app area; a power of two */
	u64 lanes;
	/* recording: calls that were not recorded because their struct record_lane was full */
	u64 no_lane;
	u64 no_slot; /* calls that were not counted because no entry of threads[] was free */
	u64 async;   /* asynchronous calls, which have no latency */
	u64 killed;  /* calls that ended by a jump (longjmp) or by the exit of their thread */
	/* calls that were not counted because seccomp forbids a system call that the library
	 * needs */
	u64 seccomp;
	u64 unbound; /* shared libraries that were loaded in a way that may hide their calls */
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

/* A ring buffer from the preloaded library to the iospan command, shared by threads. A thread takes
 * an entry by incrementing head. It writes tgid, fills in the entry and then sets held_ns to
 * lane_mark(). The command sets tgid to 0 when it has read the entry. */
#define LANE_ENTRIES 8192 /* must be a power of two */
struct record_lane {
	u64 head;
	u64 head_pad[7];
	u64 tail;
	u64 tail_pad[7];
	struct recorded entries[LANE_ENTRIES];
};

/* Returns the mark of a complete entry in a struct record_lane. @entry is the value of head for
 * that entry. @pidns is the inode number of the pid namespace of the entry's tgid. */
static inline u64 lane_mark(u64 entry, u32 pidns)
{
	return (entry + 1) << 32 | pidns;
}

/* Environment variables of the measured programs. */
#define APP_ENV_FD "IOSPAN_FD" /* number of the app area's file descriptor */
/* pid of a process that has the app area open as descriptor IOSPAN_FD. A program that has closed
 * its own descriptor gets the area from that process. */
#define APP_ENV_PID "IOSPAN_PID"

static inline u32 app_step_span(u32 op, u32 step)
{
	return step ? APP_SPAN_ALL + step - 1 : op;
}

/* Returns true if the thread must also change APP_SPAN_ALL and APP_SPAN_JOINT, because the span of
 * @op changed between idle and busy. */
static inline bool app_layer_changes(const struct app_thread *t, u32 op)
{
	return op != APP_SPAN_SYNC && span_count(t->held[0]) == 1;
}

/* Returns the number of steps that @t has done in its stage, up to APP_STEPS.
 *
 * If a step was begun but not ended, the span word shows if it was done. An access keeps its span
 * busy. So if the busy period of the word differs from that in held, the access is not in the span.
 * If the busy period is the same, this function assumes that the access is in the span, although
 * other accesses may keep it busy. At worst the span is then left once too often and counts one
 * access too few until it is idle. If the span were left once too rarely, it would stay busy
 * forever. */
static inline u32 app_steps_done(const struct app_thread *t, const struct span *s, bool enter)
{
	u32 done = *(const volatile u32 *)&t->ended;
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
