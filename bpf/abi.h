/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The BPF maps through which the BPF programs and the command (user/kernel) exchange data. An
 * access is one I/O at one layer. This list has the maps, each with the meaning of one element:
 *
 *   spans        T of a set of accesses: the time in which at least one of them was in flight
 *                (struct span). A span is busy while an access of its set is in flight, else idle.
 *   rows         counters and latency histogram of a set of accesses (struct row), in several
 *                copies, called stripes. Each CPU adds to one stripe; the reader sums them.
 *   groups       one cgroup, or one process, with counters of its own (struct group). Its index
 *                is the group number.
 *   cells        indices of all spans and rows that an access changes, for one combination of
 *                group, disk and operation (struct cell). A disk's cell has several spans, called
 *                leaves. An access changes only one leaf.
 *   cell_counts  counters of the accesses of one cell, in stripes (struct cell_counts)
 *   slots        a request in flight, found by hardware queue and tag (struct slot)
 *   pending      a bio, io_uring or libaio request in flight, found by its address (struct
 *                pending)
 *
 * The wait span of a layer is busy while a read, write, sync or flush is in flight at this layer.
 *
 * A stacked disk passes its I/O on to other disks, as dm and md do. Totals leave out stacked disks,
 * because they include the same I/O on the other disks. */
#ifndef IOSPAN_ABI_H
#define IOSPAN_ABI_H

#include "bpf/abi-pending.h"
#include "bpf/share.h"

#define MAX_DISKS 1024
/* maximum number of hardware queues of all disks together */
#define MAX_QUEUES 8192
#define QUEUE_PROBES 8

/* The kernel interface by which an access is made. SRC_FAULT: a page fault on a mapped file. */
enum source { SRC_SYSCALL, SRC_RING, SRC_AIO, SRC_FAULT, SRC_MAX };

/* Operations at the vfs layer. iospan counts only reads, writes and syncs, the values below
 * VFS_OPS. `iospan record` also writes the other operations to the trace. */
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

/* Number of ring buffers for recorded accesses. The lower bits of a CPU number select the ring
 * buffer, so this is a power of two. One more ring buffer has the names of processes and files. */
#define RECORD_RINGS 64

/* ---- Indices in the map of spans ---- */
enum {
	SPAN_VFS_OP, /* one span per operation at the vfs layer: index SPAN_VFS_OP + enum vfs_op */
	SPAN_VFS = SPAN_VFS_OP + VFS_OPS, /* vfs layer: reads and writes */
	/* device layer: reads and writes, except on stacked disks */
	SPAN_DEVICE,
	SPAN_VFS_WAIT, /* wait span of the vfs layer: reads, writes and syncs */
	/* device layer: reads, writes and flushes, except on stacked disks */
	SPAN_DEVICE_WAIT,
	SPAN_VFS_DEVICE, /* busy while SPAN_VFS_WAIT or SPAN_DEVICE_WAIT is busy */
	/* io_uring and libaio requests, one span per operation: index SPAN_RING_OP + enum vfs_op */
	SPAN_RING_OP,
	SPAN_DISKS = 16,
};
/* A disk has one span per enum op. The span DISK_RW is for its reads and writes together. */
#define DISK_SPANS 8
#define DISK_RW 7
#define SPAN_DISK(disk, which) (SPAN_DISKS + (disk)*DISK_SPANS + (which))
/* A group is a cgroup with counters of its own. It has three spans:
 * - SPAN_GROUP: its reads and writes on disks that are not stacked;
 * - SPAN_GROUP_VFS: its reads and writes at the vfs layer;
 * - SPAN_GROUP_WAIT: its reads, writes and syncs at the vfs layer.
 * Each kind is an array of GROUPS_OF(max_groups) spans, indexed by group number. After these
 * arrays come the spans of cells (struct cell). */
#define GROUPS_OF(max_groups) ((max_groups) + 1)
#define SPAN_GROUP(group) (SPAN_DISK(MAX_DISKS, 0) + (group))
#define SPAN_GROUP_VFS(max_groups, group) SPAN_GROUP(GROUPS_OF(max_groups) + (group))
#define SPAN_GROUP_WAIT(max_groups, group) SPAN_GROUP(2 * GROUPS_OF(max_groups) + (group))
#define SPAN_CELLS(max_groups) SPAN_GROUP(3 * GROUPS_OF(max_groups))

/* The accesses of a group are counted in four sets. SET_ALONE: reads and writes of the device layer
 * that started while no other group used the disk (share.h). SET_SHARED: reads and writes of the
 * device layer that started while another group used the disk. SET_VFS: reads and writes of the vfs
 * layer. SET_SYNC: syncs of the vfs layer. */
enum group_set { SET_ALONE, SET_SHARED, SET_VFS, SET_SYNC, GROUP_SETS };
/* Index of the struct row of @group for @set, minus row_groups (the index of the first struct row
 * of all groups). */
#define GROUP_ROW(max_groups, set, group) ((set)*GROUPS_OF(max_groups) + (group))

/* ---- Indices in the map of rows (struct row) ---- */
#define ROW_VFS(source, op) ((source)*VFS_OPS + (op))
/* Index of the first struct row of a disk. The map has one struct row per disk and operation. They
 * are followed by the struct rows of groups: GROUPS_OF(max_groups) for each enum group_set. */
#define ROW_DISKS ROW_VFS(SRC_MAX, 0)

/* A group is a cgroup (or process) with counters and spans of its own. A cgroup gets no group if
 * the maps are full, or if the cgroup is nested too deeply (GROUP_LEVELS). Its accesses are then
 * added to two groups: its nearest ancestor with a group, and GROUP_NONE, the sum of all cgroups
 * without a group. Its group number is the number of this ancestor, plus the bit GROUP_OTHER. */
enum { GROUP_NONE, GROUP_TOP }; /* GROUP_TOP: the cgroup of the measured command */
#define GROUP_OTHER (1U << 31)
#define GROUP_LEVELS 16
#define GROUP_NAME 256 /* size of a cgroup's name in bytes: NAME_MAX + 1 */
struct group {
	/* id of the cgroup, which the kernel never reuses; 0: the group number is free */
	u64 id;
	u64 born_ns;
	u32 parent;
	u32 level;   /* number of levels below the topmost measured cgroup */
	u32 removed; /* 1: the directory of the cgroup was removed */
	u32 pad;
	char name[GROUP_NAME];
};
_Static_assert(sizeof(struct group) == 32 + GROUP_NAME, "map layout");

/* Identifies a process by its tgid and its start time in units of 2^20 ns (1 ms). The kernel does
 * not reuse a tgid within 1 ms. */
static inline u64 group_process_id(u32 tgid, u64 start_ns)
{
	return (u64)tgid << 32 | (u32)(start_ns >> 20);
}

static inline u32 group_process(u64 id)
{
	return id >> 32;
}

/* A cell lists the spans and counters (struct row) that an access of one group, disk and operation
 * changes. iospan makes the cell at the first of these accesses, so that the next ones need no
 * look-ups. Cell 0 is unused.
 *
 * The cell of a disk has several spans, called leaves, so that CPUs write to different cache lines.
 * The hardware queue of an access selects the leaf. If the disk takes bios, the CPU selects the
 * leaf. The spans in .parents change only when a leaf gets busy or idle. */
#define CELL_PARENTS 4
/* Value of cell.disk at the vfs layer, which has no disks. It differs from MAX_DISKS, because that
 * is the value for disks that have no room in the map of disks. */
#define DISK_VFS (MAX_DISKS + 1)
/* Value of cell.op in the cell that is for both the reads and the writes of a group on a disk. This
 * cell has no counters. Its first span is busy while the group has a read or write in flight on the
 * disk. */
#define OP_BOTH DEVICE_OPS
/* maximum number of cells per group and disk: one per operation, and the cell OP_BOTH */
#define DISK_CELLS (DEVICE_OPS + 1)
struct cell {
	u32 group;
	u32 disk;
	u16 op;
	/* 1: T of the layer and of the group includes the accesses of this cell. Reads and writes
	 * have 1, except on stacked disks. */
	u16 total;
	/* For reads or writes of a group on a disk: index of the first span of the cell that is for
	 * both (OP_BOTH). Otherwise 0. */
	u32 both;
	u32 row; /* index of the struct row for this disk and operation */
	/* index of the group's struct row that counts the accesses of this cell; 0: none */
	u32 group_row;
	/* device layer: index of the first leaf; vfs layer: index of the cell's only span */
	u32 span;
	/* Indices of larger spans, such as the disk's span; 0: none. While a leaf of this cell is
	 * busy, they are busy, too. */
	u32 parents[CELL_PARENTS];
	/* if each group has counters per disk and operation (per_part): index of the parent group's
	 * cell for the same disk and operation */
	u32 up;
	u64 lost;	/* accesses for which no BPF program saw the issue or completion */
	u64 lost_bytes; /* bytes of the accesses in .lost; struct row does not count them */
};
_Static_assert(sizeof(struct cell) == 64, "map layout");

/* Counters of the accesses of one cell, without those of child cgroups, which have cells of their
 * own. */
struct cell_counts {
	u128 bytes, latency_ns;
	u64 accesses, errors;
	u64 pad[2];
};
_Static_assert(sizeof(struct cell_counts) == 64, "one cache line");

/* A slot is the state of a request in flight or in the I/O scheduler. SLOT_REQUEUED: the request
 * was requeued and not issued since. SLOT_FAILED: a partial completion had an error. SLOT_SHARED:
 * another group used the disk when the request was first issued. */
enum slot_flag { SLOT_REQUEUED = 1, SLOT_FAILED = 2, SLOT_SHARED = 4 };
struct slot {
	u64 start_ns; /* time of the last issue; 0: the request is not in flight */
	u64 held_ns;  /* ns in which the request was in flight before its last requeue */
	/* time at which the request entered the I/O scheduler; 0: it is not there */
	u64 queued_at_ns;
	u64 queued_ns; /* ns that the request has spent in the I/O scheduler */
	u32 submitter; /* if attributed by task (BY_TASK): group of the submitting task */
	u32 span;      /* index of the span that the request keeps busy */
	u32 bytes;
	u32 done; /* bytes that partial completions have completed so far */
	u32 cell;
	u16 flags;
	u16 row; /* copy of cell.row */
	u32 pad;
	u32 tgid; /* if recording: process that inserted or issued the request */
};
_Static_assert(sizeof(struct slot) == 64, "map layout");
_Static_assert(ROW_DISKS + MAX_DISKS * DEVICE_OPS < 1 << 15, "struct slot has 16 bits for a row");

/* A hardware queue of a disk, with one slot per tag. If the kernel adds tags, the queue gets one
 * more block of slots, as large as all earlier blocks together. The earlier blocks do not move, so
 * requests in flight keep their slots. */
#define SLOT_BLOCKS 6
#define SLOT_BLOCK_MIN 256
enum queue_state { QUEUE_EMPTY, QUEUE_BUSY, QUEUE_READY };
struct queue {
	u64 hctx;
	u64 diskseq; /* sequence number of the disk, which the kernel never reuses */
	u64 scanned_ns;
	/* Kernel address of the blkcg_gq (pair of cgroup and disk) of a recent measured request. A
	 * request with the same blkcg_gq is measured, too. 0: no measured request since the last
	 * scan of this queue for lost completions. */
	u64 blkg;
	u32 state;
	u32 depth;
	u16 disk;
	u16 number; /* index of this hardware queue in its disk */
	/* blocks[i]: number of the first slot of block i: its index in the map slots, plus 1; 0:
	 * there is no block i */
	u32 blocks[SLOT_BLOCKS];
	u32 dev;
	u32 ignored; /* 1: the disk is not measured */
	u32 scan_at; /* tag at which the next search for lost completions starts */
	u32 pad[12];
};
_Static_assert(sizeof(struct queue) == 128, "one cache line for each request, one for the rest");

/* Accesses of one interface (io_uring or libaio) and operation with an end that no BPF program
 * saw. */
struct lost_ring {
	u64 accesses;
	u64 bytes;
};

/* Identifies a disk in the report. If a disk is removed and added again with the same identity, the
 * report shows one disk, not two. */
struct disk_identity {
	u32 dev;     /* major << 20 | minor, the kernel's encoding */
	u32 stacked; /* 1: stacked on other disks, so no total includes it */
	char name[DISK_NAME];
};
struct seen_disk {
	struct disk_identity is;
	u64 diskseq; /* sequence number (as in sysfs) of the last disk with this identity */
	/* rows[op]: index of the struct row that counts the disk's accesses with operation op; 0:
	 * there were none yet */
	u32 rows[DEVICE_OPS];
	u32 pad;
	/* median latency per operation in ns, from user/kernel/median.c; 0: not known */
	u64 median_ns[DEVICE_OPS];
	/* per operation: sum of the latencies that iospan estimated for accesses with a lost
	 * completion (no BPF program saw it) */
	u64 repaired_ns[DEVICE_OPS];
};
_Static_assert(sizeof(struct seen_disk) == 72 + 2 * 8 * DEVICE_OPS, "map layout");

/* How iospan finds the cgroup of a device request. */
enum attribution {
	BY_BLKCG, /* the cgroup that the kernel charges: bio->bi_blkg */
	BY_TASK,  /* the cgroup (v2) of the task that submits the request */
};

/* A cgroup that iospan measures, with all cgroups below it. */
struct watched {
	u64 id; /* id of the cgroup; 0: the cgroup was removed */
	u64 level;
};

/* Kinds of system calls. The comment of a kind lists the parameters that its calls have in
 * common. */
enum call_kind {
	CALL_NONE,
	CALL_READ, /* parameters: fd, buf, len */
	CALL_WRITE,
	CALL_READV, /* parameters: fd, iov, n */
	CALL_WRITEV,
	CALL_SENDFILE, /* parameters: out, in, offset, len */
	CALL_SPLICE,   /* also for copy_file_range(); parameters: in, offset, out, offset, len */
	CALL_SYNC_FD,
	CALL_SYNC_FS, /* syncfs(fd), where fd is any open file of the file system */
	CALL_SYNC,    /* sync() or msync() */
	CALL_OPEN,    /* open() and similar calls, which return an fd; only if recording */
	CALL_CLOSE,   /* parameter: fd; only if recording */
	CALL_IO_SUBMIT,
	CALL_IO_GETEVENTS,
	CALL_IO_DESTROY,
};
#define CALL_AT 0x80 /* flag in call_kinds[]: the fourth parameter is the file offset */
#define MAX_SYSCALLS 512

/* Number of events that iospan measured not at all or only in part. user/kernel/losses.c has the
 * names under which they are reported. */
struct losses {
	u64 completions; /* device accesses without a completion event; their end is estimated */
	u64 issues;	 /* device accesses without an issue event */
	u64 no_slot;	 /* device requests not measured: no free struct slot */
	u64 no_cell;	 /* accesses not counted: no room for a struct cell */
	/* accesses counted in a struct cell that several groups share, because the maps had no room
	 * for another cell */
	u64 no_group_cell;
	/* bios, io_uring and libaio requests not measured: pending table full */
	u64 no_pending;
	u64 no_storage; /* system calls not measured: the kernel had no memory for their state */
	/* failed updates of a span: an access ended while none was in flight, or other CPUs changed
	 * the span at each attempt */
	u64 spans;
	u64 ring; /* io_uring requests without a completion event */
	/* libaio requests without an event: for instance, the program fetched the event from memory
	 * that it shares with the kernel */
	u64 aio;
	/* libaio requests not measured: one call submitted too many requests, that is, more than
	 * AIO_BOUND */
	u64 aio_batch;
	/* failed or lost requests with a byte count that is too small: iospan did not read all
	 * iovecs */
	u64 vectors;
	u64 calls;    /* system calls without an exit event */
	u64 requeues; /* device requests that were requeued without an event */
	/* device accesses without a latency, because an interrupt ran their completion inside
	 * another one */
	u64 nested;
	u64 records[LAYERS]; /* accesses not recorded, per layer: the ring buffer was full */
	u64 open_records;    /* opens, creates and closes not recorded: the ring buffer was full */
	/* names of processes or files not recorded: the ring buffer was full */
	u64 name_records;
};

/* Counters that the report prints as notes below its tables. */
struct notes {
	u64 other_groups; /* number of cgroups without counters of their own (GROUP_OTHER) */
	/* 1: the map that counts .other_groups was full, so .other_groups is too small */
	u64 more_groups;
	/* reads that the kernel charged to an ancestor of the measured cgroups */
	u64 charged_above;
	u64 loader;	/* the dynamic loader's reads of program files, not counted as accesses */
	u64 departed;	/* processes of the command that left its cgroup */
	u64 dynamic;	/* executed programs that are dynamically linked */
	u64 statically; /* executed programs that are statically linked */
	u64 secure;	/* executed programs that are set-uid or have capabilities */
	u64 compat;	/* executed programs that are 32-bit */
	char static_name[32]; /* file name of the first statically linked program */
	char secure_name[32]; /* file name of the first set-uid or privileged program */
	char compat_name[32]; /* file name of the first 32-bit program */
};

#endif
