/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accesses of one layer of a trace, prepared for a replay. Each recorded process is replayed by
 * one worker (bench/load). An access is issued when the accesses that had ended before its start in
 * its process have ended in the replay, too. Each file or disk of the trace has a region of the
 * target of its own.
 *
 *   replay-read     reads the trace
 *   recorded        sums the accesses of the trace
 *   replay-order    finds for each access the accesses that must have ended before it
 *   player          a worker: issues the accesses of one process
 *   replay-result   the result */
#ifndef IOSPAN_REPLAY_H
#define IOSPAN_REPLAY_H

#include <stdbool.h>
#include "bpf/event.h"
#include "tools/input/input.h"
#include "user/metric/metric.h"

struct replay_access {
	u64 start_ns, end_ns;
	/* offset in the target, in bytes; replay_read() adds the offset of the region */
	u64 offset;
	/* time from the last end that this access waits for to its start; without such an end, from
	 * the start of the replay */
	u64 think_ns;
	u32 bytes;
	/* it waits until the first @after accesses of replay.ended of its process have ended */
	u32 after;
	u32 process; /* index of the process in replay.processes */
	u32 op;	     /* OP_READ, OP_WRITE, or OP_SYNC for any flush or sync */
};

struct replay_process {
	u32 first, n;	/* its accesses are replay.accesses[first] to [first + n - 1] */
	u32 depth;	/* largest number of accesses in flight */
	u64 most_bytes; /* size of the largest access */
};

/* A part of the target, which stands for one file or disk of the trace. */
struct replay_region {
	char *name;
	u64 offset, bytes;
};

/* Decides whether an access of the trace is replayed, or why it is left out. */
enum fate {
	FATE_REPLAYED,
	FATE_FAILED,	/* the kernel or the disk returned an error */
	FATE_UNTIMED,	/* its start or end is not known */
	FATE_UNPLACED,	/* its file or offset is not known */
	FATE_EMPTY,	/* a read or write that transferred no data */
	FATE_LARGE,	/* above REPLAY_MOST_BYTES */
	FATE_OPERATION, /* an operation such as a discard */
	FATE_NONE,	/* no access with data, such as an open */
	FATES,
};
#define REPLAY_MOST_BYTES (1U << 30)

/* index after enum layer, of the accesses of stacked disks (see replay.stacked) */
#define STACKED LAYERS

struct replay {
	const char *path; /* path of the trace */
	int layer;	  /* enum layer; -1: replay_read() chooses the lowest layer with offsets */
	bool no_think;	  /* do not wait for the recorded think times */
	/* sorted by process, then by start */
	struct replay_access *accesses;
	/* for each process: indexes of its accesses, from 0, in the order of their ends */
	u32 *ended;
	u64 n;
	struct replay_process *processes;
	u32 processes_n;
	struct replay_region *regions;
	u32 regions_n;
	u64 bytes;	   /* the target must have this size */
	u64 written_bytes; /* sum of all writes */
	u64 syncs;
	u64 elapsed_ns; /* from the first start to the last end of the accesses */
	u64 alignment;	/* bitwise OR of the offsets and sizes of all reads and writes */
	struct sum recorded[LAYERS + 1];
	u64 fates[LAYERS + 1][FATES];
	/* reads and writes of each layer that can be replayed, and all */
	u64 transfers[LAYERS + 1], seen[LAYERS + 1];
	/* The device layer is that of stacked disks, because the trace has accesses of no other
	 * disks. If it has some, those of stacked disks are left out: they reach other disks, and
	 * would be replayed twice. */
	bool stacked;
	u64 losses;   /* accesses that the recorder lost or repaired */
	bool damaged; /* chunks of the trace are missing or damaged */
	u64 from_ns, to_ns;
	struct trace_filter filter;
};

#endif
