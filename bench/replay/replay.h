/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accesses of one layer of a trace, prepared for a replay. One worker (bench/load) replays the
 * accesses of one recorded process. At the device layer, one worker replays all accesses. A worker
 * issues an access when as many of its accesses have ended as had ended before the start of this
 * access in the trace. A region is the part of the target that stands for one file or disk of the
 * trace.
 *
 *   replay-read     reads the trace
 *   recorded        sums the accesses of the trace
 *   replay-order    counts for each access the accesses that must have ended before it
 *   player          a worker: issues the accesses of one process
 *   replay-result   the result */
#ifndef IOSPAN_REPLAY_H
#define IOSPAN_REPLAY_H

#include <stdbool.h>
#include "bpf/event.h"
#include "tools/input/input.h"
#include "user/metric/metric.h"

#define REPLAY_ADVICE "replay a part of the trace, with --from and --to"

struct replay_access {
	u64 start_ns, end_ns;
	/* offset in the target, in bytes; replay_read() adds the offset of the region */
	u64 offset;
	/* Think time: the recorded pause before this access. It starts when all accesses for which
	 * this access waits have ended. If it waits for none, the pause starts with the first
	 * access of the trace. */
	u64 think_ns;
	u32 bytes;
	/* number of accesses of its process that had ended before its start in the trace */
	u32 after;
	u32 process; /* index in replay.processes, see worker_of() */
	u32 op;	     /* OP_READ, OP_WRITE, or OP_SYNC for any flush or sync */
};

struct replay_process {
	u32 first, n; /* its accesses are replay.accesses[first] to [first + n - 1] */
	u32 depth;    /* largest number of accesses in flight */
	u64 most_bytes;
};

/* A part of the target, which stands for one file or disk of the trace. */
struct replay_region {
	char *name;
	u64 offset, bytes;
};

/* The fate of an access of the trace: the replay issues it, or a reason why the replay leaves it
 * out. */
enum fate {
	FATE_REPLAYED,
	FATE_FAILED,	/* the kernel or the disk returned an error */
	FATE_UNTIMED,	/* its start or end is not known */
	FATE_UNPLACED,	/* its file or offset is not known */
	FATE_EMPTY,	/* a read or write that transferred no data */
	FATE_LARGE,	/* above REPLAY_MOST_BYTES */
	FATE_OPERATION, /* an operation such as a discard */
	/* an operation without data, such as an open, or a part of an access (TRACE_PART) */
	FATE_NONE,
	FATES,
};
#define REPLAY_MOST_BYTES (1U << 30)

/* Arrays with one element per layer have one more element: for accesses to stacked disks
 * (replay.stacked). STACKED is the index of this element. */
#define STACKED LAYERS

struct replay {
	const char *path;
	int layer; /* enum layer; -1: replay_read() chooses the lowest layer with offsets */
	/* true: an access waits for those accesses of its process that had ended before its start
	 * in the trace. false: it waits for as many accesses of its process, whichever end
	 * first. */
	bool no_think;
	/* true: an access waits for the accesses that had ended before its start in the trace.
	 * false: it waits for the same number of accesses of its process, whichever end first. */
	bool exact_order;
	/* sorted by process, then by start */
	struct replay_access *accesses;
	/* ended[]: for each process, the indexes of its accesses in the order of their ends; index
	 * 0 is the first access of the process */
	u32 *ended;
	u64 n;
	struct replay_process *processes;
	u32 processes_n;
	struct replay_region *regions;
	u32 regions_n;
	u64 bytes; /* the target must have this size */
	u64 written_bytes;
	u64 syncs;
	u64 elapsed_ns; /* from the first start to the last end of the accesses */
	u64 alignment;	/* bitwise OR of the offsets and sizes of all reads and writes */
	struct sum recorded[LAYERS + 1];
	u64 fates[LAYERS + 1][FATES];
	/* transfers[L]: number of reads and writes of layer L that can be replayed. seen[L]: number
	 * of all reads and writes of layer L. */
	u64 transfers[LAYERS + 1], seen[LAYERS + 1];
	/* true: the trace has only accesses to stacked disks, so these are replayed. false:
	 * accesses to stacked disks are left out, because the trace has the same I/O on the disks
	 * below. */
	bool stacked;
	u64 losses;   /* number of accesses that the recorder lost or repaired */
	bool damaged; /* chunks of the trace are missing or damaged */
	u64 from_ns, to_ns;
	struct trace_filter filter;
};

#endif
