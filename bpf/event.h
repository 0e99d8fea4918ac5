/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Structures that the kernel programs, the command and the preloaded library share: fixed sizes, no
 * pointers. */
#ifndef IOSPAN_EVENT_H
#define IOSPAN_EVENT_H

#include "bpf/types.h"
#include "bpf/span-word.h"
#include "bpf/buckets.h"

enum layer { LAYER_APP, LAYER_VFS, LAYER_DEVICE, LAYERS };

/* Operations. At the app layer only read, write and sync occur. */
enum op {
	OP_READ,
	OP_WRITE,
	OP_FLUSH,   /* device: cache flush */
	OP_DISCARD, /* device: discard, secure erase */
	OP_OTHER,   /* device: write-zeroes, zone and pass-through commands */
	OP_SYNC,    /* app, vfs: fsync and its family */
	OP_OPEN,    /* vfs, only recorded: open and its family, of an existing file */
	OP_CREATE,  /* vfs, only recorded: the same, of a file that the call created */
	OP_CLOSE,   /* vfs, only recorded: close */
	OP_MAX,
};
#define DEVICE_OPS (OP_OTHER + 1)

/* Counters of one set of accesses; times in ns. */
struct row {
	u128 bytes;
	u128 latency_ns; /* sum over the timed accesses */
	u64 accesses;
	u64 errors;
	u64 timed; /* accesses with a latency, <= accesses */
	u64 max_ns;
	u128 queued_ns; /* device: sum of the times in the scheduler */
	u64 queued;	/* device: accesses that were there */
	u64 pad[5];
	u64 hist[HIST_BUCKETS];
};
_Static_assert(sizeof(struct row) == 128 + 8 * HIST_BUCKETS, "kernel ABI");

/* ---- recording: every access, on its way to the trace ---- */

enum trace_flag {
	TRACE_FAILED = 1,
	TRACE_PART = 2,	     /* an interval that ended by a requeue or without a completion.
			      * It is no access and has no bytes: the last interval has both,
			      * and in held_ns the length of all intervals */
	TRACE_UNTIMED = 4,   /* the start or end was not seen: an access with bytes and, if
			      * start < end, with an interval, but without a latency */
	TRACE_UNSPANNED = 8, /* an access with bytes, but without an interval */
};
#define TRACE_NO_OFFSET (~0ULL)

/* A position in a file. */
struct file_at {
	u64 inode; /* 0: no file */
	u64 offset;
	u32 dev; /* of the file system, major << 20 | minor */
	u32 pad;
};

/* An access. An io_uring or libaio request is an access of two layers, app and vfs. */
struct recorded {
	u64 start_ns;
	u64 end_ns;
	u64 bytes;
	u64 offset;
	u64 inode;   /* device: queued_ns */
	u64 held_ns; /* or, in a lane, lane_mark() */
	u32 dev;     /* of the inode's file system; device: the cell */
	u32 group;   /* app, vfs: number of the task's group; 0: not known. From the
		      * preloaded library: the file descriptor plus 1 */
	u32 tgid;
	u8 layers; /* bit per enum layer */
	u8 op;	   /* enum op */
	u8 source; /* enum source */
	u8 flags;  /* enum trace_flag */
};
_Static_assert(sizeof(struct recorded) == 64, "one cache line");

/* The name of a process or file, recorded before its first access or soon after. */
enum named { NAMED_PROCESS, NAMED_FILE };
#define NAMED_COMPONENTS 14 /* the last ones of a path; those above are left out */
#define NAMED_LENGTH 128    /* bytes of a component; a longer one is cut */
struct named_record {
	u32 kind;	/* enum named */
	u32 components; /* number of components in text; process: 1; path: last one first */
	u64 inode;
	u64 from_ns; /* the name holds from then on */
	u32 dev;
	u32 tgid;
	char text[NAMED_COMPONENTS][NAMED_LENGTH];
};

/* ---- the app area: a mapped array that the measured programs write ----
 *
 * The measured command and its children inherit its file descriptor. It only holds the numbers of
 * the app layer, so a program that overwrites it spoils no other layer. In the kernel it is an
 * array of 64-byte lines. */
#define APP_MAGIC 0x31707061696f7370ULL
#define APP_THREADS 4096 /* calls in flight at once; power of two */
#define APP_PROBES 64	 /* slots that a thread tries, from app_thread_slot() on */
#define APP_STRIPES 64	 /* stripes of rows, shared by the threads */
#define APP_OPS 3	 /* read, write, sync */

enum app_span {
	APP_SPAN_READ,
	APP_SPAN_WRITE,
	APP_SPAN_SYNC,
	APP_SPAN_ALL,	/* reads and writes: the layer's T */
	APP_SPAN_JOINT, /* of app and device */
	APP_SPANS,
};

/* @op: APP_SPAN_READ, _WRITE, _SYNC, or an enum vfs_op, which have the same values. */
static inline enum op op_of_call(u32 op)
{
	return op == APP_SPAN_SYNC ? OP_SYNC : (enum op)op;
}

/* The stage of a thread in its call. If the thread is killed while ENTERING or LEAVING, its notes
 * in struct app_thread show which spans it has changed. */
enum app_stage { APP_IDLE, APP_ENTERING, APP_INSIDE, APP_LEAVING };

/* A thread enters or leaves up to three spans, in this order: that of the operation, APP_SPAN_ALL,
 * APP_SPAN_JOINT. It changes the last two only if the first one had a transition. */
#define APP_STEPS 3

/* One thread's call in flight. Free when tid is 0. */
struct app_thread {
	u32 tid;   /* gettid() in the thread's own pid namespace */
	u32 stage; /* enum app_stage */
	u32 op;	   /* enum app_span of the call: READ, WRITE, SYNC */
	u32 pidns; /* inode of that namespace; 0: not known */
	u64 start_ns;
	u64 bytes; /* requested */
	/* Notes of ENTERING and LEAVING. An attempt to change a span writes held, then begun. After
	 * the change, ended is written. */
	u64 held[APP_STEPS]; /* the word of the span that includes this access */
	u32 begun, ended;    /* steps */
};
_Static_assert(sizeof(struct app_thread) == 64, "one cache line");

struct app_head {
	u64 magic;
	u64 programs; /* execs of programs that loaded the library */
	u64 lanes;    /* recording: count of lanes after the area; a power of two */
	u64 no_lane;  /* recording: calls not recorded because their lane was full */
	u64 no_slot;  /* calls not counted: no thread slot was free */
	u64 async;    /* asynchronous calls, which have no latency */
	u64 killed;   /* calls ended by a jump or by the exit of their thread */
	u64 seccomp;  /* calls not counted: seccomp forbids a system call that this needs */
	u64 unbound;  /* libraries loaded in a way that may hide their calls */
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

/* A ring buffer between the library and the command, shared by threads. A thread takes an entry by
 * incrementing head. It writes tgid, fills in the entry and then sets held_ns to lane_mark(). The
 * command sets tgid to 0 when it has read the entry. */
#define LANE_ENTRIES 8192 /* power of two */
struct record_lane {
	u64 head;
	u64 head_pad[7];
	u64 tail;
	u64 tail_pad[7];
	struct recorded entries[LANE_ENTRIES];
};

/* @entry: the value of head. @pidns: inode of the pid namespace of tgid. */
static inline u64 lane_mark(u64 entry, u32 pidns)
{
	return (entry + 1) << 32 | pidns;
}

/* Environment of the measured programs. */
#define APP_ENV_FD "IOSPAN_FD"	 /* file descriptor of the app area */
#define APP_ENV_PID "IOSPAN_PID" /* a process that also has it open, with that number */

static inline u32 app_step_span(u32 op, u32 step)
{
	return step ? APP_SPAN_ALL + step - 1 : op;
}

/* Whether the thread must also change the spans of the layer: that of @op had a transition. */
static inline bool app_layer_changes(const struct app_thread *t, u32 op)
{
	return op != APP_SPAN_SYNC && span_count(t->held[0]) == 1;
}

/* The number of steps that @t has done in its stage, up to APP_STEPS. If the step at which it
 * stopped is not known, the span word shows it. An access keeps its span busy, so it is not in the
 * span if the busy period of the word differs from that in held. If the period is the same, the
 * access counts as in the span, even if it is other accesses that keep it busy. At worst the span is then
 * left once too often: it has one access too few until it is idle. One leave too few would keep it
 * busy forever. */
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
