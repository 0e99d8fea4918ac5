/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The maps that the kernel programs and user/kernel share. Their elements:
 *
 *   spans        T of one set of accesses (struct span)
 *   rows         counters and histogram of one set of accesses, in stripes for CPUs (struct row)
 *   groups       tree of cgroups, or a list of processes
 *   cells        spans and rows of the accesses of one (group, disk, operation)
 *   cell_counts  counters of one cell, in stripes as rows of groups
 *   slots        request in flight, by hardware queue and tag
 *   pending      bio, io_uring or libaio request in flight, by address: these have no tag
 */
#ifndef IOSPAN_TRACER_H
#define IOSPAN_TRACER_H

#include "bpf/event.h"

#define MAX_DISKS 1024
#define MAX_QUEUES 8192 /* hardware queues of all disks; power of two */
#define QUEUE_PROBES 8

/* How the program requested a vfs access. */
enum source { SRC_SYSCALL, SRC_RING, SRC_AIO, SRC_FAULT, SRC_MAX };

/* Operations of system calls. Those below VFS_OPS are accesses: offsets of rows and spans of the
 * app and vfs layers. The others are only recorded. */
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
_Static_assert((int)VFS_SYNC == APP_SPAN_SYNC, "op_of_call() takes either");

#define RECORD_RINGS 64 /* power of two; one more ring, of that number, has the names */

/* ---- spans ---- */
enum {
	SPAN_VFS_OP,			  /* + enum vfs_op */
	SPAN_VFS = SPAN_VFS_OP + VFS_OPS, /* reads and writes */
	SPAN_DEVICE,			  /* reads and writes, bottom disks */
	SPAN_VFS_DEVICE,		  /* joint */
	SPAN_RING_OP,			  /* + enum vfs_op: io_uring's and libaio's */
	SPAN_DISKS = 16,
};
#define DISK_SPANS 8 /* spans of a disk: enum op, and */
#define DISK_RW 7
#define SPAN_DISK(disk, which) (SPAN_DISKS + (disk)*DISK_SPANS + (which))
/* The spans of groups on disks. GROUPS_OF(max_groups) later, the spans of groups at the vfs layer;
 * after these, the spans of cells. */
#define SPAN_GROUP(group) (SPAN_DISK(MAX_DISKS, 0) + (group))
#define GROUPS_OF(max_groups) ((max_groups) + 1)
#define SPAN_CELLS(max_groups) SPAN_GROUP(2 * GROUPS_OF(max_groups))

/* ---- rows ---- */
#define ROW_VFS(source, op) ((source)*VFS_OPS + (op))
/* One per disk and operation, then one per group on disks, then one per group at the vfs layer. */
#define ROW_DISKS ROW_VFS(SRC_MAX, 0)

/* ---- groups ----
 * A group is a cgroup that has rows and spans. A cgroup is none if there is no room, or if it is
 * more than GROUP_LEVELS below the command's cgroup. Then its accesses count in the nearest group
 * above, and in the row and span of GROUP_NONE, which are for all such cgroups together. Its number
 * is that of the group above, with the bit GROUP_OTHER. */
enum { GROUP_NONE, GROUP_TOP }; /* GROUP_TOP: the command's own */
#define GROUP_OTHER (1U << 31)
#define GROUP_LEVELS 16
#define GROUP_NAME 256 /* NAME_MAX + 1 */
struct group {
	u64 id; /* of the cgroup, never reused; 0: no kernel program finds the group */
	u64 born_ns;
	u32 parent;  /* number of the group above */
	u32 level;   /* below GROUP_TOP, which has 0 */
	u32 removed; /* the directory of the cgroup was removed */
	u32 pad;
	char name[GROUP_NAME];
};
_Static_assert(sizeof(struct group) == 32 + GROUP_NAME, "map layout");

/* With per_process, the id of a group. The kernel reuses a tgid, but not within a ms. */
static inline u64 group_process_id(u32 tgid, u64 start_ns)
{
	return (u64)tgid << 32 | (u32)(start_ns >> 20);
}

static inline u32 group_process(u64 id)
{
	return id >> 32;
}

/* A (group, disk, operation). It is written once, at its first access, except for what was lost.
 * Cell 0 is unused.
 *
 * A device cell has a leaf for each hardware queue, or CPU where a disk takes bios: a span that an
 * access keeps busy. So CPUs that work at the same time do not wait for one word. The spans above
 * change only if a leaf gets busy or idle. */
#define CELL_PARENTS 4
#define DISK_VFS MAX_DISKS /* in place of a disk: the vfs layer */
struct cell {
	u32 group;
	u32 disk;
	u32 op;
	u32 row;		   /* of the disk and operation */
	u32 group_row;		   /* 0: the accesses count in no row of a group */
	u32 total;		   /* counts in the total of the layer, and in the joint spans */
	u32 span;		   /* the first leaf; vfs: see cell_fill_vfs() */
	u32 parents[CELL_PARENTS]; /* spans that it keeps busy; ends with a 0 */
	u32 up;			   /* per_part: the cell of the group above; 0: none */
	u64 lost;		   /* accesses without a seen issue or completion; */
	u64 lost_bytes;		   /* the row does not have them */
};
_Static_assert(sizeof(struct cell) == 64, "map layout");

/* Counters of a cell, without the cells below. */
struct cell_counts {
	u128 bytes, latency_ns;
	u64 accesses, errors;
	u64 pad[2];
};
_Static_assert(sizeof(struct cell_counts) == 64, "one cache line");

/* A request in flight or waiting for issue. */
enum slot_flag { SLOT_REQUEUED = 1, SLOT_FAILED = 2 };
struct slot {
	u64 start_ns;	  /* of the current interval; 0: not in flight */
	u64 held_ns;	  /* length of the intervals before the last requeue */
	u64 queued_at_ns; /* time since which it waits in the scheduler; 0: it does not */
	u64 queued_ns;	  /* time in the scheduler so far */
	u32 submitter;	  /* BY_TASK: group of the task that submitted it */
	u32 span;	  /* the leaf of its cell that it keeps busy */
	u32 bytes;
	u32 done; /* bytes completed so far */
	u32 cell;
	u16 flags;
	u16 row; /* of the cell's disk and operation */
	u32 pad;
	u32 tgid; /* recording: process that inserted or issued it */
};
_Static_assert(sizeof(struct slot) == 64, "map layout");
_Static_assert(ROW_DISKS + MAX_DISKS * DEVICE_OPS < 1 << 15, "struct slot has 16 bits for a row");

/* A hardware queue, found by its address. The slots of its requests are in blocks. The first block
 * is for the tags below depth; each other block is as large as all before it. If the queue gets
 * more tags, it gets another block, and the requests in flight stay in their slots. */
#define SLOT_BLOCKS 6
#define SLOT_BLOCK_MIN 256
enum queue_state { QUEUE_EMPTY, QUEUE_BUSY, QUEUE_READY };
struct queue {
	u64 hctx;
	u64 diskseq; /* identifies the disk: the kernel reuses numbers and addresses */
	u64 scanned_ns;
	u64 blkg; /* the kernel has charged a measured request to it since scanned_ns */
	u32 state;
	u32 depth;
	u16 disk;
	u16 number;		 /* among the hardware queues of the disk */
	u32 blocks[SLOT_BLOCKS]; /* number of the first slot, plus 1; 0: no such block */
	u32 dev;
	u32 ignored; /* the disk is not measured */
	u32 scan_at; /* tag at which the next scan_queue() starts */
	u32 pad[12];
};
_Static_assert(sizeof(struct queue) == 128, "one cache line for each request, one for the rest");

/* A bio or an asynchronous request in flight, found by an address in a set-associative table. */
enum pending_kind {
	PENDING_BIO,
	PENDING_RING,
	PENDING_AIO,
	PENDING_NO_FILE, /* io_uring: has no file yet, keeps no span busy */
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
	struct file_at at; /* recording: position in the file; a bio has only the offset */
	u16 kind;
	u16 owner_word; /* index of its word in owners; 0: has none */
	u32 op;		/* enum vfs_op; bio: the cell */
	u32 tgid;
	u32 span; /* bio: as in struct slot; else the cell, or 0 */
};
_Static_assert(sizeof(struct pending) == 64, "one cache line");

/* Finds the requests of one owner without a walk through the pending table. The owner of an
 * io_uring request is ring_of(): the event of a full completion queue names only that. The owner of
 * a libaio request is its process, which may exit. A request has a word in the line of its owner
 * or, if that is full, in one of the OWNER_REACH lines after it. The word holds the address of the
 * request, or its index in the pending table, and a tag of the owner.
 *
 * If several io_uring requests have one owner, the event of one may end another one of them. The
 * count in flight and the sum of the latencies are the same. */
#define OWNER_LINES 8192 /* power of two */
#define OWNER_WORDS 8
#define OWNER_HEAD 2	/* words before those of requests */
#define OWNER_REACH 128 /* power of two */
#define OWNER_TAG_BITS 13
#define OWNER_TAG ((1ULL << OWNER_TAG_BITS) - 1)
struct owner_line {
	u32 strayed;  /* requests of its owners with a word in another line */
	u32 swaps;    /* upper bound of requests that were ended by the event of another one */
	u32 detached; /* requests without an address: see ring_detach() */
	u32 pad;
	u64 word[OWNER_WORDS - OWNER_HEAD]; /* 0: free */
};
_Static_assert(OWNER_LINES *OWNER_WORDS <= 1 << 16, "struct pending has 16 bits for a word");

/* The upper bits give the line and the tag. */
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

static inline u64 pending_owner(const struct pending *p)
{
	return p->kind == PENDING_AIO ? p->tgid : p->ring;
}

/* Maximum that the kernel transfers in one call (linux/fs.h). So a 64-bit sum of the bytes of lost
 * accesses does not wrap before 2^33 accesses. */
#define MAX_RW_COUNT 0x7ffff000ULL

/* Set in the bytes of a request if not all of its vectors were read, so that it has more bytes. */
#define BYTES_MORE (1ULL << 63)

/* At end_ns, this libaio context was destroyed, or its program exited. It had more requests in
 * flight than one run of a kernel program may end. repair.c ends the others. */
#define DEAD_CONTEXTS 64 /* power of two */
struct dead_context {
	u64 ring; /* 0: all contexts of the program */
	u64 end_ns;
	u32 tgid;
	u32 pad;
};

static inline bool pending_of_dead_context(const struct pending *p, const struct dead_context *c)
{
	return p->kind == PENDING_AIO && p->tgid == c->tgid && p->start_ns &&
		p->start_ns < c->end_ns && (!c->ring || p->ring == c->ring);
}

/* io_uring and libaio accesses of one source and operation without a latency: their end was not
 * seen. */
struct lost_ring {
	u64 accesses;
	u64 bytes;
};

/* Two disks with the same identity are one disk in the report, even if one was removed and the
 * other one added later. */
struct disk_identity {
	u32 dev;     /* major << 20 | minor, as the kernel has it */
	u32 stacked; /* on top of other disks: not part of a total */
	char name[DISK_NAME];
};
struct seen_disk {
	struct disk_identity is;
	u64 diskseq;	      /* of the current disk */
	u32 rows[DEVICE_OPS]; /* 0: none yet */
	u32 pad;
	u64 median_ns[DEVICE_OPS];   /* current median latency, by median.c; 0: not known */
	u64 repaired_ns[DEVICE_OPS]; /* sum of the latencies that were estimated: see lost.h */
};
_Static_assert(sizeof(struct seen_disk) == 72 + 2 * 8 * DEVICE_OPS, "map layout");

/* The group of a request. */
enum attribution {
	BY_BLKCG, /* the cgroup that the kernel charges, bio->bi_blkg */
	BY_TASK,  /* the cgroup (v2) of the task that submits it */
};

/* The top of the cgroups to measure. */
struct watched {
	u64 id; /* 0: it was removed */
	u64 level;
};

/* Kinds of system calls, with their parameters. */
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
	CALL_OPEN,    /* recording; returns an fd */
	CALL_CLOSE,   /* recording; fd */
	CALL_IO_SUBMIT,
	CALL_IO_GETEVENTS,
	CALL_IO_DESTROY,
};
#define CALL_AT 0x80 /* a bit: the fourth parameter is the offset in the file */
#define MAX_SYSCALLS 512

/* Counters of events that were not, or not fully, measured. user/kernel/losses.c has their names. */
struct losses {
	u64 completions;     /* device: completion not seen; repaired */
	u64 issues;	     /* device: issue not seen */
	u64 no_slot;	     /* device: no slot for a request */
	u64 no_cell;	     /* device: no cell for a (disk, op) */
	u64 no_group_cell;   /* device: no cell for a (group, disk, op); is in GROUP_OTHER's */
	u64 no_pending;	     /* bios, rings: bucket of the pending table full */
	u64 no_storage;	     /* vfs: no memory for the call of a thread */
	u64 spans;	     /* updates that were refused, or lost each race */
	u64 ring;	     /* io_uring completions not seen */
	u64 aio;	     /* libaio events not seen: fetched in user space, or not at all */
	u64 aio_batch;	     /* libaio requests beyond AIO_BOUND of a call */
	u64 vectors;	     /* failed or lost requests with BYTES_MORE */
	u64 calls;	     /* vfs: end of a call not seen */
	u64 requeues;	     /* device: requeue not seen before the next issue */
	u64 nested;	     /* device: completed during another completion: no latency */
	u64 records[LAYERS]; /* recording: no room in the rings for an access, */
	u64 open_records;    /* for an open, create or close, */
	u64 name_records;    /* for a name of a process or file */
};

/* Counters for notes in the report. */
struct notes {
	u64 other_groups;     /* cgroups with GROUP_OTHER */
	u64 more_groups;      /* 1: there were more of them, which were not counted */
	u64 charged_above;    /* reads issued by measured tasks, charged to a cgroup above */
	u64 loader;	      /* reads by the dynamic loader, which are no accesses */
	u64 departed;	      /* processes of the command that left its cgroup */
	u64 dynamic;	      /* programs executed: dynamically linked, */
	u64 statically;	      /* statically linked, */
	u64 secure;	      /* set-uid or with capabilities, */
	u64 compat;	      /* 32-bit */
	char static_name[32]; /* the first of each */
	char secure_name[32];
	char compat_name[32];
};

#endif
