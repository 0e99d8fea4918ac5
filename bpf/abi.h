/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The BPF maps that the BPF programs and user/kernel share. The elements of each map are:
 *
 *   spans        T of one set of accesses (struct span)
 *   rows         counters and latency histogram of one set of accesses (struct row). Each row has
 *                several copies, called stripes: a CPU adds to one of them.
 *   groups       the tree of cgroups, or a list of processes (struct group)
 *   cells        names the spans and rows of one (group, disk, operation) (struct cell)
 *   cell_counts  counters of one cell, in stripes as the rows of groups (struct cell_counts)
 *   slots        a request in flight, found by hardware queue and tag (struct slot)
 *   pending      a bio, io_uring or libaio request in flight, found by its address, because it has
 *                no tag (struct pending) */
#ifndef IOSPAN_TRACER_H
#define IOSPAN_TRACER_H

#include "bpf/event.h"

#define MAX_DISKS 1024
#define MAX_QUEUES 8192 /* maximum of the hardware queues of all disks; must be a power of two */
#define QUEUE_PROBES 8

/* The interface by which the program requested an access of the vfs layer. */
enum source { SRC_SYSCALL, SRC_RING, SRC_AIO, SRC_FAULT, SRC_MAX };

/* Operations of system calls. Those below VFS_OPS are accesses of the app and vfs layers. Their
 * values are offsets into the counters and spans of these layers. iospan only records the other
 * operations. */
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

/* Ring buffers for recorded accesses; power of two. One more ring buffer, with this number as its
 * index, has the names of processes and files. */
#define RECORD_RINGS 64

/* ---- Indices in the map of spans ---- */
enum {
	/* vfs layer: one span per operation, at this index + enum vfs_op */
	SPAN_VFS_OP,
	SPAN_VFS = SPAN_VFS_OP + VFS_OPS, /* vfs layer, reads and writes */
	SPAN_DEVICE,			  /* device layer, reads and writes, no stacked disks */
	SPAN_VFS_DEVICE,		  /* joint span of the vfs and device layers */
	/* io_uring and libaio requests: one span per operation, at this index + enum vfs_op */
	SPAN_RING_OP,
	SPAN_DISKS = 16,
};
/* A disk has one span per enum op, and DISK_RW for its reads and writes together. */
#define DISK_SPANS 8
#define DISK_RW 7
#define SPAN_DISK(disk, which) (SPAN_DISKS + (disk)*DISK_SPANS + (which))
/* Each group has a span for its accesses to disks. GROUPS_OF(max_groups) indices later, it has a
 * span for its accesses of the vfs layer. The spans of cells (struct cell) come after these. */
#define SPAN_GROUP(group) (SPAN_DISK(MAX_DISKS, 0) + (group))
#define GROUPS_OF(max_groups) ((max_groups) + 1)
#define SPAN_CELLS(max_groups) SPAN_GROUP(2 * GROUPS_OF(max_groups))

/* ---- Indices in the map of rows; a row has the counters of a set of accesses (struct row) ---- */
#define ROW_VFS(source, op) ((source)*VFS_OPS + (op))
/* The first row (struct row) of disks. The map has one row per disk and operation, then one per
 * group for its accesses to disks, then one per group for its accesses of the vfs layer. */
#define ROW_DISKS ROW_VFS(SRC_MAX, 0)

/* ---- Groups ----
 *
 * A group is a cgroup that has its own counters (struct row) and spans. A cgroup gets none if the
 * maps are full, or if it is more than GROUP_LEVELS levels below the command's cgroup. Then its
 * accesses count in its nearest ancestor that is a group. They also count in the row and span of
 * GROUP_NONE, which all such cgroups share. The number of such a cgroup is the number of that
 * ancestor with the bit GROUP_OTHER. */
enum { GROUP_NONE, GROUP_TOP }; /* GROUP_TOP is the cgroup of the measured command. */
#define GROUP_OTHER (1U << 31)
#define GROUP_LEVELS 16
#define GROUP_NAME 256 /* bytes of a cgroup's name: NAME_MAX + 1 */
struct group {
	/* id of the cgroup, which the kernel never reuses; 0: the group was unlinked (retire.h) */
	u64 id;
	u64 born_ns;
	u32 parent;  /* number of the parent group */
	u32 level;   /* levels below GROUP_TOP, which has level 0 */
	u32 removed; /* 1: the directory of the cgroup was removed */
	u32 pad;
	char name[GROUP_NAME];
};
_Static_assert(sizeof(struct group) == 32 + GROUP_NAME, "map layout");

/* Returns the id of a group if groups are processes (per_process). The kernel may reuse a tgid, but
 * not within 1 ms, so the start time makes the id unique. */
static inline u64 group_process_id(u32 tgid, u64 start_ns)
{
	return (u64)tgid << 32 | (u32)(start_ns >> 20);
}

static inline u32 group_process(u64 id)
{
	return id >> 32;
}

/* A cell stands for the accesses of one (group, disk, operation). It names the spans and the
 * counters (struct row) that these accesses change. A BPF program writes it once, at the first such
 * access; only the counters of losses change later. Cell 0 is unused.
 *
 * A cell of a disk has several spans, called leaves: one per hardware queue, or per CPU if the disk
 * takes bios. An access keeps the leaf of its queue busy. So CPUs that work at the same time update
 * different words. The spans above the leaves change only if a leaf gets busy or idle. */
#define CELL_PARENTS 4
/* disk of a cell (struct cell) of the vfs layer, which belongs to no disk */
#define DISK_VFS MAX_DISKS
struct cell {
	u32 group;
	u32 disk;
	u32 op;
	u32 row; /* index of the counters (struct row) of the disk and operation */
	/* index of the group's counters (struct row); 0: it has none */
	u32 group_row;
	u32 total; /* 1: the cell's accesses are in the layer's total and in the joint spans */
	u32 span;  /* index of the first leaf span; for the vfs layer, see cell_fill_vfs() */
	/* indices of the spans that are busy while a span of this cell is busy; ends with 0 */
	u32 parents[CELL_PARENTS];
	/* per_part: number of the parent group's cell for the same (disk, operation) */
	u32 up;
	/* number of accesses with an unseen issue or completion */
	u64 lost;
	u64 lost_bytes; /* bytes of these lost accesses; struct row lacks them */
};
_Static_assert(sizeof(struct cell) == 64, "map layout");

/* Counters of the accesses of one cell (struct cell). They do not include the cells of child
 * groups. */
struct cell_counts {
	u128 bytes, latency_ns;
	u64 accesses, errors;
	u64 pad[2];
};
_Static_assert(sizeof(struct cell_counts) == 64, "one cache line");

/* The state of a request that is in flight or waits in the I/O scheduler. */
enum slot_flag { SLOT_REQUEUED = 1, SLOT_FAILED = 2 };
struct slot {
	u64 start_ns;	  /* start of the current interval; 0: the request is not in flight */
	u64 held_ns;	  /* length of the intervals before the last requeue */
	u64 queued_at_ns; /* time at which the request got into the scheduler; 0: it is not there */
	u64 queued_ns;	  /* time that the request has spent in the scheduler */
	u32 submitter;	  /* if BY_TASK: group of the task that submitted the request */
	/* index of the span that the request keeps busy, a leaf in its cell */
	u32 span;
	u32 bytes;
	u32 done; /* bytes that partial completions have reported */
	u32 cell;
	u16 flags;
	u16 row; /* copy of row in its cell: index of the counters of the disk and operation */
	u32 pad;
	u32 tgid; /* if recording: process that inserted or issued the request */
};
_Static_assert(sizeof(struct slot) == 64, "map layout");
_Static_assert(ROW_DISKS + MAX_DISKS * DEVICE_OPS < 1 << 15, "struct slot has 16 bits for a row");

/* A hardware queue, found by its address. Its slots (struct slot) are in blocks. The first block is
 * for tags below depth. Each further block is as large as all blocks before it. If the kernel gives
 * the queue more tags, the queue gets one more block, and the requests in flight stay in their
 * slots. */
#define SLOT_BLOCKS 6
#define SLOT_BLOCK_MIN 256
enum queue_state { QUEUE_EMPTY, QUEUE_BUSY, QUEUE_READY };
struct queue {
	u64 hctx;
	/* identifies the disk, because the kernel reuses device numbers and addresses */
	u64 diskseq;
	u64 scanned_ns;
	/* address of a blkcg_gq to which the kernel charged a measured request after scanned_ns */
	u64 blkg;
	u32 state;
	u32 depth;
	u16 disk;
	u16 number; /* number of this queue among the hardware queues of the disk */
	/* number of the first slot of each block, plus 1; 0: the queue does not have the block */
	u32 blocks[SLOT_BLOCKS];
	u32 dev;
	u32 ignored; /* 1: the disk is not measured */
	u32 scan_at; /* tag at which the next scan_queue() starts */
	u32 pad[12];
};
_Static_assert(sizeof(struct queue) == 128, "one cache line for each request, one for the rest");

/* A bio, io_uring or libaio request in flight. It is found by its address in a set-associative
 * table, which has PENDING_WAYS entries per bucket. */
enum pending_kind {
	PENDING_BIO,
	PENDING_RING,
	PENDING_AIO,
	PENDING_NO_FILE, /* io_uring request that has no file yet, so it keeps no span busy */
};
#define PENDING_WAYS 8
#define PENDING_BUCKETS 8192 /* must be a power of two */
struct pending_bucket {
	u64 key[PENDING_WAYS];
};
struct pending {
	u64 start_ns;
	u64 bytes;
	u64 ring;	   /* libaio: address of the context; io_uring: ring_of() */
	struct file_at at; /* if recording: position in the file; for a bio, on the disk */
	u16 kind;
	/* index of the request's word in owners (struct owner_line); 0: it has no word */
	u16 owner_word;
	u32 op; /* enum vfs_op; for a bio, the number of its struct cell */
	u32 tgid;
	/* index of the span that a bio keeps busy; for other kinds, number of a struct cell, or
	 * 0 */
	u32 span;
};
_Static_assert(sizeof(struct pending) == 64, "one cache line");

/* An element of a hash table from an owner to its requests in flight, which saves a search of the
 * whole pending table. The owner of an io_uring request is ring_of(), because the kernel's event of
 * a full completion queue names only that. The owner of a libaio request is its process, because
 * all requests of a process end when it exits.
 *
 * A request has one word (64 bits) in the table. The word is in the line of its owner or, if that
 * line is full, in one of the OWNER_REACH lines after it. The word holds a tag of the owner and
 * either the address of the request or its index in the pending table.
 *
 * Several io_uring requests may have the same owner. Then the event of one of them may end another
 * one. The count of requests in flight and the sum of their latencies are correct even so. */
#define OWNER_LINES 8192 /* must be a power of two */
#define OWNER_WORDS 8
#define OWNER_HEAD 2	/* size of the fields of a line before its words, in words */
#define OWNER_REACH 128 /* must be a power of two */
#define OWNER_TAG_BITS 13
#define OWNER_TAG ((1ULL << OWNER_TAG_BITS) - 1)
struct owner_line {
	u32 strayed;  /* requests of this line's owners that have their word in another line */
	u32 swaps;    /* upper bound of the requests that the event of another request has ended */
	u32 detached; /* requests in the pending table without an address: see ring_detach() */
	u32 pad;
	u64 word[OWNER_WORDS - OWNER_HEAD]; /* one word per request; 0: the word is free */
};
_Static_assert(OWNER_LINES *OWNER_WORDS <= 1 << 16, "struct pending has 16 bits for a word");

/* A hash of @owner. owner_home() takes the number of a line from its upper bits, and owner_tag()
 * takes the tag. */
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

/* Maximum of bytes that the kernel transfers in one call (linux/fs.h). With this limit, a 64-bit
 * sum of the bytes of lost accesses does not wrap before 2^33 accesses. */
#define MAX_RW_COUNT 0x7ffff000ULL

/* A flag in the byte count of a request: iospan did not read all of its vectors, so the request has
 * more bytes. */
#define BYTES_MORE (1ULL << 63)

/* A libaio context that was destroyed, or a process that exited, with more requests in flight than
 * one run of a BPF program may end. user/kernel/repair.c ends the other ones, with end_ns as their
 * end. */
#define DEAD_CONTEXTS 64 /* must be a power of two */
struct dead_context {
	u64 ring; /* address of the context; 0: all contexts of the process */
	u64 end_ns;
	u32 tgid;
	u32 pad;
};

static inline bool pending_of_dead_context(const struct pending *p, const struct dead_context *c)
{
	return p->kind == PENDING_AIO && p->tgid == c->tgid && p->start_ns &&
		p->start_ns < c->end_ns && (!c->ring || p->ring == c->ring);
}

/* Counts the io_uring or libaio accesses of one source and operation that have no latency, because
 * no BPF program saw their end. */
struct lost_ring {
	u64 accesses;
	u64 bytes;
};

/* Identifies a disk in the report. Two disks with equal identities are shown as one disk, even if
 * one was removed before the other one was added. */
struct disk_identity {
	u32 dev;     /* major << 20 | minor, the kernel's encoding */
	u32 stacked; /* 1: the disk is on top of other disks, so no total includes it */
	char name[DISK_NAME];
};
struct seen_disk {
	struct disk_identity is;
	u64 diskseq; /* diskseq of the disk that now has this identity */
	/* per operation: index of its counters (struct row); 0: no access yet */
	u32 rows[DEVICE_OPS];
	u32 pad;
	/* current median latency, computed by user/kernel/median.c; 0: not known */
	u64 median_ns[DEVICE_OPS];
	u64 repaired_ns[DEVICE_OPS]; /* sum of the latencies that lost_end_ns() has estimated */
};
_Static_assert(sizeof(struct seen_disk) == 72 + 2 * 8 * DEVICE_OPS, "map layout");

/* How the group of a device request is determined. */
enum attribution {
	BY_BLKCG, /* by the cgroup that the kernel charges: bio->bi_blkg */
	BY_TASK,  /* by the cgroup (v2) of the task that submits the request */
};

/* The topmost cgroup to measure: it and all cgroups below it are measured. */
struct watched {
	u64 id; /* id of the cgroup; 0: it was removed */
	u64 level;
};

/* Kinds of system calls. The comments name the parameters in their order. */
enum call_kind {
	CALL_NONE,
	CALL_READ, /* parameters: fd, buf, len */
	CALL_WRITE,
	CALL_READV, /* parameters: fd, iov, n */
	CALL_WRITEV,
	CALL_SENDFILE, /* parameters: out, in, offset, len */
	CALL_SPLICE,   /* parameters: in, offset, out, offset, len; also used for copy_file_range */
	CALL_SYNC_FD,
	CALL_SYNC_FS, /* syncfs(fd): fd may be any open file of the file system */
	CALL_SYNC,    /* sync(), msync() */
	CALL_OPEN,    /* only if recording; open() and similar calls, which return an fd */
	CALL_CLOSE,   /* parameter: fd; only if recording */
	CALL_IO_SUBMIT,
	CALL_IO_GETEVENTS,
	CALL_IO_DESTROY,
};
#define CALL_AT 0x80 /* A flag of a call's kind: the fourth parameter is the offset in the file. */
#define MAX_SYSCALLS 512

/* Counters of events that iospan did not measure, or not fully. user/kernel/losses.c has their
 * names in the report. */
struct losses {
	u64 completions; /* device accesses with a completion that no BPF program saw; repaired */
	u64 issues;	 /* device accesses with an issue that no BPF program saw */
	u64 no_slot;	 /* device requests for which no struct slot was free */
	u64 no_cell;	 /* accesses for which there was no room for a struct cell */
	/* accesses for which there was no room for a struct cell of their group */
	u64 no_group_cell;
	u64 no_pending; /* bios, io_uring and libaio requests that found their bucket full */
	u64 no_storage; /* system calls for which the kernel had no memory to store their state */
	/* failed updates of a span: it had no access to remove, or other CPUs won all races */
	u64 spans;
	u64 ring;      /* io_uring requests with a completion that no BPF program saw */
	u64 aio;       /* libaio requests with an event that was fetched in user space or never */
	u64 aio_batch; /* libaio requests after the first AIO_BOUND ones of a call */
	/* failed or lost requests that count with too few bytes */
	u64 vectors;
	u64 calls;    /* system calls with an end that no BPF program saw */
	u64 requeues; /* device requests with a requeue that no BPF program saw */
	/* device accesses without a latency: completed during another completion */
	u64 nested;
	u64 records[LAYERS]; /* recording: accesses that found the ring buffer full */
	/* recording: opens, creates and closes that found the ring full */
	u64 open_records;
	/* recording: names of processes or files that found the ring buffer full */
	u64 name_records;
};

/* Counters that the report shows as notes. */
struct notes {
	u64 other_groups; /* cgroups without counters and spans of their own (GROUP_OTHER) */
	/* 1: other_groups does not count all of these cgroups, because a map was full */
	u64 more_groups;
	/* reads of measured tasks that the kernel charged to a cgroup above the measured ones */
	u64 charged_above;
	u64 loader;	      /* reads by the dynamic loader, which are no accesses */
	u64 departed;	      /* processes of the command that left its cgroup */
	u64 dynamic;	      /* executed programs that are dynamically linked */
	u64 statically;	      /* executed programs that are statically linked */
	u64 secure;	      /* executed programs that are set-uid or have capabilities */
	u64 compat;	      /* executed programs that are 32-bit */
	char static_name[32]; /* file name of the first statically linked program */
	char secure_name[32]; /* file name of the first set-uid or privileged program */
	char compat_name[32]; /* file name of the first 32-bit program */
};

#endif
