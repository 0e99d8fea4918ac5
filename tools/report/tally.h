/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the accesses of layers, operations and disks, and computes T: the time with at least one
 * access in flight. Words of tools/report:
 *
 * batch           accesses that are read from a trace together    struct trace_batch
 * stream          accesses with the same layer, operation,        struct trace_stream
 *                 source (kind of call), disk, cgroup, process
 *                 and file
 * operation       accesses of one layer, one source or disk,      struct op_tally
 *                 and one operation
 * span            T of a set of accesses                          struct tally_span
 * joint span      T of the accesses of two layers                 tally.joint
 * entity          a process, file, cgroup or disk                 struct by_entity
 * row             accesses of one entity, layer and class of      struct by_row
 *                 operations, such as reads and writes
 * timeline        sums of a layer or row in slices of time        struct timeline
 *
 * An operation gathers the intervals of its accesses in a batch. Each span joins the intervals of
 * its operations and passes them to its timelines. */
#ifndef IOSPAN_TALLY_H
#define IOSPAN_TALLY_H

#include "tools/report/counts.h"
#include "tools/report/exact.h"
#include "tools/report/gather.h"
#include "tools/input/names.h"
#include "user/metric/measurement.h"
#include "user/trace/write.h"

struct timeline;

struct op_tally {
	struct gather gather;
	struct counts counts;
	u8 layer, op; /* op: enum op at the device layer, otherwise enum vfs_op */
	u8 source;
	bool touched;		 /* true if the operation has accesses in the current batch */
	struct disk_tally *disk; /* the disk of these accesses; NULL at the app and vfs layers */
	/* percentile searches, one for each total that includes the accesses of this operation;
	 * ends with NULL */
	struct exact *exact[4];
};

#define TALLY_TIMELINES 2

struct tally_span {
	struct cover cover;
	/* union of the intervals of the current batch; NULL: there are no intervals */
	const struct parts *joined;
	/* Memory for .joined if it is merged from several lists. A merge reads one buffer and fills
	 * the other. */
	struct parts buffers[2];
	/* timelines to which tally_span_settle() adds each final interval of T; ends with NULL */
	struct timeline *timelines[TALLY_TIMELINES];
};

/* Adds the intervals of @list to the current batch of @s. @list may be NULL. @list must exist until
 * tally_span_close(), because it is not copied. */
void tally_span_join(struct tally_span *s, const struct parts *list);
/* Ends the current batch: adds its intervals to T of @s. */
void tally_span_close(struct tally_span *s);
/* Makes T final up to @before_ns. No later access may start before that time. */
void tally_span_settle(struct tally_span *s, u64 before_ns);
void tally_span_release(struct tally_span *s);

struct disk_tally {
	u32 name;
	bool stacked, touched;
	struct op_tally ops[DEVICE_OPS];
	/* .all: span of the reads and writes. .spans: span of each operation (enum op). */
	struct tally_span all, spans[DEVICE_OPS];
};

struct tally {
	/* operations at the app and vfs layers, indexed by layer, enum source and enum vfs_op */
	struct op_tally calls[LAYER_DEVICE][SRC_MAX][CALL_OPS];
	struct tally_span call_spans[LAYER_DEVICE][CALL_OPS];
	/* disks, indexed by the number of their name; NULL: the disk has no access yet */
	struct disk_tally **disks;
	u32 disks_n;
	struct tally_span layers[LAYERS]; /* span of reads and writes of each layer */
	/* wait span of each layer: time with at least one read, write, sync or flush in flight */
	struct tally_span waits[LAYERS];
	/* Joint spans of two layers: app and device, vfs and device. A joint span is the time with
	 * at least one read, write, sync or flush in flight in either layer. */
	struct tally_span joint[LAYER_DEVICE];
	struct op_tally **touched;
	u32 touched_n, touched_room;
};

/* The report stores pointers, called slots, for each stream (input.h). The slot with this number
 * points to the struct op_tally that counts the accesses of the stream. */
#define TALLY_SLOT 0

void tally_init(struct tally *t);
void tally_release(struct tally *t);

/* Returns the struct op_tally for the accesses of stream @s, or NULL if the layer has no such
 * operation or source. @s contains the numbers of its names in struct names. */
struct op_tally *tally_op(struct tally *t, const struct trace_stream *s, bool stacked);

/* Returns true if the total of the layer includes the accesses of @o. The total has reads and
 * writes, but not those of stacked disks. */
bool op_tally_is_in_total(const struct op_tally *o);

/* Adds a batch of accesses. @ops is indexed by stream and has the results of tally_op(). */
void tally_batch(struct tally *t, const struct trace_batch *b, void *const *ops);

void tally_settle(struct tally *t, u64 before_ns);

/* Returns a new measurement from the tally. The measurement lacks the values that only BPF programs
 * know. Call tally_settle() with ~0 first. */
struct measurement *tally_measure(const struct tally *t, const struct names *names, u64 elapsed_ns);

#endif
