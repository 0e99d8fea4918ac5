/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From accesses to what a report prints: counts and T of each layer, operation and disk,
 * and the joint spans.
 *
 * An access belongs to one leaf: an operation of a source or a disk. Per batch, leaves
 * make lists of intervals; the sets above them, which have a T each, join these. */
#ifndef IOSPAN_TALLY_H
#define IOSPAN_TALLY_H

#include "tools/report/counts.h"
#include "tools/report/exact.h"
#include "tools/report/gather.h"
#include "tools/input/names.h"
#include "user/metric/measurement.h"
#include "user/trace/write.h"

struct leaf {
	struct gather gather;
	struct counts counts;
	u8 layer, op; /* op: of its layer, enum vfs_op or enum op */
	u8 source;
	bool touched;		 /* in this batch */
	struct disk_tally *disk; /* NULL: not at the device layer */
	struct exact *exact[4];	 /* of the sets that it is in; ends early with a NULL */
};

/* A union that is asked for. */
struct set {
	struct cover cover;
	const struct parts *now; /* of this batch; NULL: nothing */
	struct parts mine[2];	 /* where it is, when several were joined */
};

void set_join(struct set *s, const struct parts *l); /* NULL is fine */
/* The batch goes into T. */
void set_close(struct set *s);
void set_release(struct set *s);

struct disk_tally {
	u32 name;
	bool stacked, touched;
	struct leaf leaves[DEVICE_OPS];
	struct set all, ops[DEVICE_OPS];
};

/* Who wants to know when T of a layer went on. */
struct follower {
	void (*part)(void *arg, int layer, u64 start_ns, u64 end_ns);
	void *arg;
};

struct tally {
	struct leaf calls[LAYER_DEVICE][SRC_MAX][CALL_OPS]; /* app, vfs */
	struct set call_ops[LAYER_DEVICE][CALL_OPS];
	struct disk_tally **disks; /* by number of their name; NULL: no access yet */
	u32 disks_n;
	struct set layers[LAYERS];	/* reads and writes */
	struct set joint[LAYER_DEVICE]; /* app u device, vfs u device */
	struct leaf **touched;
	u32 touched_n, touched_room;
};

/* Where a report keeps the leaf of a stream, among the slots of struct input. */
#define TALLY_SLOT 0

void tally_init(struct tally *t);
void tally_release(struct tally *t);

/* The leaf of accesses of @s, with our numbers; NULL: there are no such accesses. */
struct leaf *tally_leaf(struct tally *t, const struct trace_stream *s, bool stacked);

/* Adds a batch; @leaves has the leaf of each stream, from tally_leaf(). */
void tally_batch(struct tally *t, const struct trace_batch *b, void *const *leaves);

/* No later access begins before @before_ns. */
void tally_settle(struct tally *t, u64 before_ns, const struct follower *f);

/* All that is in a measurement, but for what the kernel has to say. Nothing may be open. */
struct measurement *tally_measure(const struct tally *t, const struct names *names, u64 elapsed_ns);

#endif
