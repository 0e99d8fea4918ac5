/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* What crosses the border between the kernel programs, the command and the
 * preloaded library: fixed width, no pointers, sizes nailed. */
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
	OP_OPEN,    /* vfs, in a trace: open and its family, of a file that was there, */
	OP_CREATE,  /* and of one that the call made */
	OP_CLOSE,   /* vfs, in a trace: close */
	OP_MAX,
};
#define DEVICE_OPS (OP_OTHER + 1)

/* What is added up for one set of accesses; times in ns. */
struct row {
	u128 bytes;
	u128 latency_ns; /* sum over the timed */
	u64 accesses;
	u64 errors;
	u64 timed; /* accesses with a latency, <= accesses */
	u64 max_ns;
	u128 queued_ns; /* device: sum of waits in the scheduler */
	u64 queued;	/* device: accesses that waited there */
	u64 pad[5];
	u64 hist[HIST_BUCKETS];
};
_Static_assert(sizeof(struct row) == 128 + 8 * HIST_BUCKETS, "kernel ABI");

/* ---- recording: every access, from whoever saw it to whoever keeps it ---- */

enum trace_flag {
	TRACE_FAILED = 1,
	TRACE_PART = 2,	     /* in flight until it was put back, or given up: counts no
				 * access, no bytes; its last part, if there is one, has them,
				 * and in held_ns the time that its parts took */
	TRACE_UNTIMED = 4,   /* its end, or begin, was not seen: an access with bytes
				 * and, if start < end, an interval, but no response time */
	TRACE_UNSPANNED = 8, /* an access with bytes alone: no interval is known */
};
#define TRACE_NO_OFFSET (~0ULL)

/* Where in which file. */
struct file_at {
	u64 inode; /* 0: in none */
	u64 offset;
	u32 dev; /* of its file system, major << 20 | minor */
	u32 pad;
};

/* One access of one layer, or of several: what io_uring is asked for is one of the app
 * and of the vfs layer. */
struct recorded {
	u64 start_ns;
	u64 end_ns;
	u64 bytes;
	u64 offset;
	u64 inode;   /* device: queued_ns */
	u64 held_ns; /* in a lane: see there */
	u32 dev;     /* of the inode's file system; device: the cell */
	u32 group;   /* app, vfs: number of the task's; 0: not known. From the
				 * preloaded library: the descriptor and 1 */
	u32 tgid;
	u8 layers; /* bit per enum layer */
	u8 op;	   /* enum op */
	u8 source; /* enum source */
	u8 flags;  /* enum trace_flag */
};
_Static_assert(sizeof(struct recorded) == 64, "a line");

/* What a number means: said before the first access with it, or soon after. */
enum named { NAMED_PROCESS, NAMED_FILE };
#define NAMED_PARTS 14	 /* of a path, from its end on; what lies above is left out */
#define NAMED_LENGTH 128 /* of each; what is longer is cut */
struct named_record {
	u32 kind;  /* enum named */
	u32 parts; /* of text: a process has one; the first is the last of a path */
	u64 inode;
	u64 from_ns; /* it is called so from then on */
	u32 dev;
	u32 tgid;
	char text[NAMED_PARTS][NAMED_LENGTH];
};

/* ---- the app area: one mapped array that the measured programs write ----
 *
 * Its descriptor is inherited by the command and all its children. It holds
 * nothing but the app layer's own numbers: a program that scribbles over it
 * spoils its own column and nothing else. In the kernel it is an array of
 * 64-byte lines.
 */
#define APP_MAGIC 0x31707061696f7370ULL
#define APP_THREADS 4096 /* calls in flight at once; power of two */
#define APP_PROBES 64	 /* slots looked at from a thread's own on */
#define APP_STRIPES 64	 /* sets of rows, threads spread over them */
#define APP_OPS 3	 /* read, write, sync */

enum app_span {
	APP_SPAN_READ,
	APP_SPAN_WRITE,
	APP_SPAN_SYNC,
	APP_SPAN_ALL,	/* reads and writes: the layer's T */
	APP_SPAN_JOINT, /* app u device */
	APP_SPANS,
};

/* Of the first three, which are those of enum vfs_op as well. */
static inline enum op op_of_call(u32 op)
{
	return op == APP_SPAN_SYNC ? OP_SYNC : (enum op)op;
}

/* The stage of a thread in its call. If the thread dies in ENTERING or LEAVING, its notes in
 * struct app_thread show how far it came. */
enum app_stage { APP_IDLE, APP_ENTERING, APP_INSIDE, APP_LEAVING };

/* A thread enters or leaves up to three spans, in this order: its operation, APP_SPAN_ALL,
 * APP_SPAN_JOINT. The last two only if the first turned busy or idle. */
#define APP_STEPS 3

/* One thread's call in flight. Free when tid is 0. */
struct app_thread {
	u32 tid;   /* gettid() in the thread's own pid namespace */
	u32 stage; /* enum app_stage */
	u32 op;	   /* enum app_span of the call: READ, WRITE, SYNC */
	u32 pidns; /* inode of that namespace, 0 unknown */
	u64 start_ns;
	u64 bytes; /* asked for */
	/* Notes of ENTERING and LEAVING. Each attempt to change a span writes held, then begun;
	 * a change that is done writes ended. */
	u64 held[APP_STEPS]; /* the word of the span with this access in it */
	u32 begun, ended;    /* steps */
};
_Static_assert(sizeof(struct app_thread) == 64, "one line");

struct app_head {
	u64 magic;
	u64 programs; /* programs (execs) that loaded the library */
	u64 lanes;    /* recording: how many follow the area; a power of two */
	u64 no_lane;  /* and calls that found theirs full */
	u64 no_slot;  /* calls not counted: no thread slot was free */
	u64 async;    /* asynchronous calls, which are not timed */
	u64 killed;   /* calls ended by a jump or the death of their thread */
	u64 seccomp;  /* calls not counted: seccomp forbids what that takes */
	u64 unbound;  /* libraries loaded so that their calls may not be seen */
	u64 pad[7];
};
_Static_assert(sizeof(struct app_head) == 128, "whole lines");

struct app_area {
	struct app_head head;
	struct span spans[APP_SPANS];
	struct app_thread threads[APP_THREADS];
	struct row rows[APP_STRIPES][APP_OPS];
};
_Static_assert(sizeof(struct app_area) % 64 == 0, "whole lines");

/* What the library records goes through lanes, which threads share. Who has taken a place
 * (head) puts his process number there, fills it and sets held_ns last: to lane_mark() of the
 * place and of his pid namespace. Who keeps it sets tgid to 0. */
#define LANE_ENTRIES 8192 /* power of two */
struct record_lane {
	u64 head;
	u64 head_pad[7];
	u64 tail;
	u64 tail_pad[7];
	struct recorded entries[LANE_ENTRIES];
};

static inline u64 lane_mark(u64 place, u32 pidns)
{
	return (place + 1) << 32 | pidns;
}

/* Environment of the measured programs. */
#define APP_ENV_FD "IOSPAN_FD"	 /* descriptor of the area */
#define APP_ENV_PID "IOSPAN_PID" /* who else has it, as number APP_ENV_FD */

static inline u32 app_step_span(u32 op, u32 step)
{
	return step ? APP_SPAN_ALL + step - 1 : op;
}

/* Must the thread change the spans of the layer after that of @op? */
static inline bool app_layer_turns(const struct app_thread *t, u32 op)
{
	return op != APP_SPAN_SYNC && span_count(t->held[0]) == 1;
}

/* The steps that @t has done in its stage, up to APP_STEPS. An access keeps its span busy, so it
 * is not in the span if the busy period of the word differs from the one in held. If the period
 * is unchanged but others are in the span too, the access counts as in it. At worst the span is
 * then left once too often: it is one access short until it is idle. One leave too few would keep
 * it busy for ever. */
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
