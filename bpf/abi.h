/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The maps that the kernel programs and user/kernel/tracer.c share: who is where.
 *
 *   spans    one word per union that is reported (struct span)
 *   rows     what is added up, in stripes for CPUs (struct row)
 *   groups   cgroups: who is below whom
 *   cells    (group, place, operation): which spans and rows an access feeds
 *   cell_counts   what is added up by cell, in stripes as rows of groups are
 *   slots    requests in flight, by hardware queue and tag (struct slot)
 *   pending  what has no tag: bios, io_uring and libaio requests
 */
#ifndef IOSPAN_TRACER_H
#define IOSPAN_TRACER_H

#include "bpf/event.h"

#define MAX_DISKS 1024
#define MAX_QUEUES 8192 /* hardware queues of all disks; power of two */
#define QUEUE_PROBES 8

/* Where a vfs access came from. */
enum source { SRC_SYSCALL, SRC_RING, SRC_AIO, SRC_FAULT, SRC_MAX };

/* The operations of the app and vfs layers, as row and span offsets; the others have neither,
 * and are recorded. */
enum vfs_op {
	VFS_READ,
	VFS_WRITE,
	VFS_SYNC,
	VFS_OPS,
	VFS_OPEN = VFS_OPS,
	VFS_CREATE,
	VFS_CLOSE,
	CALL_OPS,
};
_Static_assert((int)VFS_SYNC == APP_SPAN_SYNC, "op_of_call() is for both");

#define RECORD_RINGS 64 /* power of two; the ring of that number has names */

/* ---- spans ---- */
enum {
	SPAN_VFS_OP,			  /* + enum vfs_op */
	SPAN_VFS = SPAN_VFS_OP + VFS_OPS, /* reads and writes */
	SPAN_DEVICE,			  /* reads and writes, bottom disks */
	SPAN_VFS_DEVICE,		  /* joint */
	SPAN_RING_OP,			  /* + enum vfs_op: io_uring's and libaio's */
	SPAN_DISKS = 16,
};
#define DISK_SPANS 8 /* per disk: enum op, and: */
#define DISK_RW 7
#define SPAN_DISK(disk, which) (SPAN_DISKS + (disk)*DISK_SPANS + (which))
/* What a group does on disks; the same at the vfs layer comes GROUPS_OF(max_groups) later,
 * then those of cells. */
#define SPAN_GROUP(group) (SPAN_DISK(MAX_DISKS, 0) + (group))
#define GROUPS_OF(max_groups) ((max_groups) + 1)
#define SPAN_CELLS(max_groups) SPAN_GROUP(2 * GROUPS_OF(max_groups))

/* ---- rows ---- */
#define ROW_VFS(source, op) ((source)*VFS_OPS + (op))
/* Per disk and operation seen, then per group on disks, then per group at the vfs layer. */
#define ROW_DISKS ROW_VFS(SRC_MAX, 0)

/* ---- groups ----
 * A cgroup with a row of its own; those above have smaller levels. Number 0 is nobody's
 * in the map, and has the row and the span of all groups without one: those for which
 * there is no room, and those that lie deeper than GROUP_LEVELS below the command's. They
 * have the number of the nearest group above, with a mark, and count there as well. */
enum { GROUP_NONE, GROUP_TOP }; /* GROUP_TOP: the command's own */
#define GROUP_OTHER (1U << 31)
#define GROUP_LEVELS 16
#define GROUP_NAME 256 /* NAME_MAX, and the end */
struct group {
	u64 id; /* the cgroup's, never used twice; 0: nobody finds it */
	u64 born_ns;
	u32 parent;  /* number of the group above */
	u32 level;   /* GROUP_TOP has 0 */
	u32 removed; /* the cgroup's directory has been removed */
	u32 pad;
	char name[GROUP_NAME];
};
_Static_assert(sizeof(struct group) == 32 + GROUP_NAME, "map layout");

/* By process a group is one: numbers of processes are given again, but not within a ms. */
static inline u64 group_process_id(u32 tgid, u64 start_ns)
{
	return (u64)tgid << 32 | (u32)(start_ns >> 20);
}

static inline u32 group_process(u64 id)
{
	return id >> 32;
}

/* A (group, place, operation); the place is a disk, or the vfs layer. Written once, when first
 * seen, but for what was lost. Cell 0 is nobody's. */
#define CELL_PARENTS 4
#define PLACE_VFS MAX_DISKS
struct cell {
	u32 group;
	u32 disk; /* or PLACE_VFS */
	u32 op;
	u32 row;		   /* of the disk and operation */
	u32 group_row;		   /* per cgroup, and of those in a total: also that one */
	u32 total;		   /* counts in the layer's total, and the joint spans */
	u32 span;		   /* its own, the first of its leaves; vfs: see cell_fill_vfs() */
	u32 parents[CELL_PARENTS]; /* spans that it keeps busy; ends with a 0 */
	u32 up;			   /* parts: the cell of the group above; 0: there is none */
	u64 lost;		   /* accesses whose issue or completion was not seen; */
	u64 lost_bytes;		   /* not in the row */
};
_Static_assert(sizeof(struct cell) == 64, "map layout");

/* Of a cell, without those below. */
struct cell_counts {
	u128 bytes, latency_ns;
	u64 accesses, errors;
	u64 pad[2];
};
_Static_assert(sizeof(struct cell_counts) == 64, "one cache line");

/* A request in flight, or waiting to be. */
enum slot_flag { SLOT_REQUEUED = 1, SLOT_FAILED = 2 };
struct slot {
	u64 start_ns;	  /* 0: not in flight */
	u64 held_ns;	  /* in flight before it was requeued */
	u64 queued_at_ns; /* in the scheduler since; 0: was not there */
	u64 queued_ns;
	u32 owner; /* submitter's group, when the kernel has no better */
	u32 span;  /* that it keeps busy: a leaf of its cell's */
	u32 bytes;
	u32 done; /* completed in part */
	u32 cell;
	u16 flags;
	u16 row; /* of the cell's disk and operation */
	u32 pad;
	u32 tgid; /* recording: who put it in the queue, or issued it */
};
_Static_assert(sizeof(struct slot) == 64, "map layout");
_Static_assert(ROW_DISKS + MAX_DISKS * DEVICE_OPS < 1 << 15, "struct slot has 16 bits for them");

/* A hardware queue, known by its address. Its requests' slots are in a row, or in
 * several: what comes with more tags leaves those in flight where they are. The first
 * row is for tags below depth, each other for as many as all before it. */
#define SLOT_ROWS 6
#define SLOT_ROW_MIN 256
enum queue_state { QUEUE_EMPTY, QUEUE_BUSY, QUEUE_READY };
struct queue {
	u64 hctx;
	u64 diskseq; /* which disk: numbers and addresses are given again */
	u64 scanned_ns;
	u64 blkg; /* that the kernel charged one of ours to, since then */
	u32 state;
	u32 depth;
	u16 disk;
	u16 number;	     /* of the disk's hardware queues */
	u32 rows[SLOT_ROWS]; /* number of the first slot and 1; 0: no such row */
	u32 dev;
	u32 ignored; /* nobody wants to know what its disk does */
	u32 scan_at; /* tag that is looked at next: see scan_queue() */
	u32 pad[12];
};
_Static_assert(sizeof(struct queue) == 128, "a line for each request, another for the rest");

/* Something in flight that has only an address to know it by. */
enum pending_kind {
	PENDING_BIO,
	PENDING_RING,
	PENDING_AIO,
	PENDING_LATE, /* io_uring, without a file yet: keeps no span busy */
};
#define PENDING_WAYS 8
#define PENDING_BUCKETS 8192 /* power of two */
struct pending_bucket {
	u64 key[PENDING_WAYS];
};
struct pending {
	u64 start_ns;
	u64 bytes;
	u64 ring;	   /* libaio: the context; io_uring: ring_of() */
	struct file_at at; /* recording; of a bio, only the offset */
	u16 kind;
	u16 place; /* where its owner's line has it; 0: nowhere */
	u32 op;	   /* enum vfs_op, or the cell of a bio */
	u32 tgid;
	u32 span; /* of a bio: as in struct slot; else the cell, or 0 */
};
_Static_assert(sizeof(struct pending) == 64, "one cache line");

/* Finds the ring requests of one owner without a walk through all: an io_uring event without
 * room names only ring_of(), and a program that ends names only itself. A request has a word in
 * the line of its owner or, when that is full, in one of the OWNER_REACH lines after it. The
 * word is the request's address or number in the table, and a tag of the owner. Requests of one
 * owner may end by each other's events: how many are in flight, and the sum of their latencies,
 * is the same. */
#define OWNER_LINES 8192 /* power of two */
#define OWNER_WORDS 8
#define OWNER_HEAD 2	/* words before those of requests */
#define OWNER_REACH 128 /* power of two */
#define OWNER_TAG_BITS 13
#define OWNER_TAG ((1ULL << OWNER_TAG_BITS) - 1)
struct owner_line {
	u32 strayed;  /* requests of its owners that other lines have */
	u32 swaps;    /* requests that perhaps ended by another's event: no less than did */
	u32 detached; /* requests without an address: see ring_detach() */
	u32 pad;
	u64 word[OWNER_WORDS - OWNER_HEAD]; /* 0: free */
};
_Static_assert(OWNER_LINES *OWNER_WORDS <= 1 << 16, "struct pending has 16 bits for a place");

/* Its upper bits give the line and the tag. */
static inline u64 owner_hash(u64 owner)
{
	return owner * 0x9e3779b97f4a7c15ULL;
}

static inline u32 owner_home(u64 owner)
{
	return owner_hash(owner) >> 51 & (OWNER_LINES - 1);
}

static inline u64 owner_tag(u64 owner)
{
	return owner_hash(owner) >> 32 & OWNER_TAG;
}

/* The owner of request @p, as the lines name it. */
static inline u64 pending_owner(const struct pending *p)
{
	return p->kind == PENDING_AIO ? p->tgid : p->ring;
}

/* The kernel moves no more in one call, whatever it is asked for (linux/fs.h). So the bytes of
 * lost accesses, in 64 bits, wrap after 2^33 of them at the earliest. */
#define MAX_RW_COUNT 0x7ffff000ULL

/* Set in the bytes of a request if not all of its vectors were read: it asks for more. */
#define BYTES_MORE (1ULL << 63)

/* libaio requests that have ended at end_ns because their program or context has: more than one
 * run of a kernel program may end. The command ends the others. */
#define ORPHANS 64 /* power of two */
struct orphans {
	u64 ring; /* 0: all of the program */
	u64 end_ns;
	u32 tgid;
	u32 pad;
};

static inline bool pending_is_orphan(const struct pending *p, const struct orphans *o)
{
	return p->kind == PENDING_AIO && p->tgid == o->tgid && p->start_ns &&
		p->start_ns < o->end_ns && (!o->ring || p->ring == o->ring);
}

/* Ring accesses whose end was not seen: counted, not timed. */
struct lost_ring {
	u64 accesses;
	u64 bytes;
};

/* That of the same disk with other data is the same. */
struct disk_identity {
	u32 dev;     /* major << 20 | minor, as the kernel has it */
	u32 stacked; /* on top of other disks: not part of a total */
	char name[DISK_NAME];
};
struct seen_disk {
	struct disk_identity is;
	u64 diskseq;	      /* of the last one */
	u32 rows[DEVICE_OPS]; /* 0: none yet */
	u32 pad;
	u64 usual_ns[DEVICE_OPS]; /* current median latency, by user/kernel/usual.c; 0: not known */
	u64 repaired_ns[DEVICE_OPS]; /* sum of the latencies that were repaired, see lost.h */
};
_Static_assert(sizeof(struct seen_disk) == 72 + 2 * 8 * DEVICE_OPS, "map layout");

/* How a request finds its group. */
enum attribution {
	BY_BLKCG, /* the group that the kernel charges, bio->bi_blkg */
	BY_TASK,  /* the submitting task's cgroup v2 */
};

/* A group whose I/O, with that of the groups below it, is measured. */
struct watched {
	u64 id;
	u64 level;
};

/* What a system call does, per number; filled in by user space. */
enum call_kind {
	CALL_NONE,
	CALL_READ, /* fd, buf, len */
	CALL_WRITE,
	CALL_READV, /* fd, iov, n */
	CALL_WRITEV,
	CALL_SENDFILE, /* out, in, offset, len */
	CALL_SPLICE,   /* in, offset, out, offset, len; copy_file_range */
	CALL_SYNC_FD,
	CALL_SYNC_FS, /* syncs the file system of any open file */
	CALL_SYNC,    /* sync, msync */
	CALL_OPEN,    /* returns an fd; this and the next: when recording */
	CALL_CLOSE,   /* fd */
	CALL_IO_SUBMIT,
	CALL_IO_GETEVENTS,
	CALL_IO_DESTROY,
};
#define CALL_AT 0x80 /* and that: the fourth parameter says where in the file */
#define MAX_SYSCALLS 512

/* Everything that was not measured as it should have been. Each has its
 * name in user/kernel/losses.c. */
struct losses {
	u64 completions;     /* device: never seen; repaired */
	u64 issues;	     /* device: completion of an unseen issue */
	u64 no_slot;	     /* device: no room to follow a request */
	u64 no_cell;	     /* device: more (disk, op) than room */
	u64 no_group_cell;   /* device: more (group, disk, op); in the row of others */
	u64 no_pending;	     /* bios, rings: no room to follow it */
	u64 no_storage;	     /* vfs: no memory for a thread's call */
	u64 spans;	     /* updates given up or refused */
	u64 ring;	     /* io_uring completions never seen */
	u64 aio;	     /* libaio events never seen: reaped in user space, or none */
	u64 aio_batch;	     /* libaio requests that the kernel took beyond one call's bound */
	u64 vectors;	     /* failed or lost with BYTES_MORE */
	u64 calls;	     /* vfs: a call's end never seen */
	u64 requeues;	     /* device: put back, seen only when issued again */
	u64 nested;	     /* device: completed in an interrupt of another: not timed */
	u64 records[LAYERS]; /* recording: no room in the rings, */
	u64 open_records;    /* nor for opens, creates and closes, */
	u64 name_records;    /* nor for what a process or file is called */
};

/* Not losses, but worth a note. */
struct notes {
	u64 other_groups;     /* without a row of their own: how many were counted, */
	u64 more_groups;      /* and that there were more */
	u64 charged_above;    /* reads that our tasks issue, charged to a group above */
	u64 loader;	      /* reads by the dynamic loader, not counted */
	u64 dynamic;	      /* programs executed: dynamically linked, */
	u64 statically;	      /* statically linked, */
	u64 secure;	      /* set-uid or with capabilities, */
	u64 compat;	      /* 32-bit */
	char static_name[32]; /* the first of each */
	char secure_name[32];
	char compat_name[32];
};

#endif
