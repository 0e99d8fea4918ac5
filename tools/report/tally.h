/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of a report: counts and T of each layer, operation and disk, and the joint spans.
 *
 * Words of tools/report:
 *
 *	operation	accesses of one layer, one source or disk,	struct op_tally
 *			and one operation
 *	span		T of a set of accesses				struct tally_span
 *	entity		a process, file, cgroup or disk			struct by_entity
 *	row		accesses of one entity, layer and class		struct by_row
 *	timeline	a layer, or a row, in slices of time		struct timeline
 *
 * Each access belongs to one operation, which has its counts. For each batch, an operation gathers
 * a list of intervals. Each span joins the lists of its operations, adds the result to its T, and
 * enters it into its timelines. */
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
	u8 layer, op; /* app, vfs: enum vfs_op; device: enum op */
	u8 source;
	bool touched;		 /* has accesses in this batch */
	struct disk_tally *disk; /* NULL above the device layer */
	struct exact *exact[4];	 /* percentiles of the sums with its accesses; ends with a NULL */
};

#define TALLY_TIMELINES 2

struct tally_span {
	struct cover cover;
	const struct parts *joined; /* intervals of this batch; NULL: none */
	struct parts buffers[2];    /* memory of @joined, if it has several lists */
	/* Get the intervals of T once they are final; ends with a NULL unless full. */
	struct timeline *timelines[TALLY_TIMELINES];
};

/* Joins @list, which may be NULL and must last until tally_span_close(). */
void tally_span_join(struct tally_span *s, const struct parts *list);
/* Adds the intervals of this batch to T. */
void tally_span_close(struct tally_span *s);
/* Makes T final up to @before_ns: no later access starts earlier. */
void tally_span_settle(struct tally_span *s, u64 before_ns);
void tally_span_release(struct tally_span *s);

struct disk_tally {
	u32 name;
	bool stacked, touched;
	struct op_tally ops[DEVICE_OPS];
	struct tally_span all, spans[DEVICE_OPS]; /* reads and writes; each operation */
};

struct tally {
	struct op_tally calls[LAYER_DEVICE][SRC_MAX][CALL_OPS]; /* app, vfs */
	struct tally_span call_spans[LAYER_DEVICE][CALL_OPS];
	struct disk_tally **disks; /* [number of the name]; NULL: no access yet */
	u32 disks_n;
	struct tally_span layers[LAYERS];      /* reads and writes */
	struct tally_span joint[LAYER_DEVICE]; /* app u device, vfs u device */
	struct op_tally **touched;
	u32 touched_n, touched_room;
};

/* The slot of struct input that has the stream's struct op_tally. */
#define TALLY_SLOT 0

void tally_init(struct tally *t);
void tally_release(struct tally *t);

/* Returns the operation of the stream @s, which has common numbers. Returns NULL if its layer has
 * no such operation or source. */
struct op_tally *tally_op(struct tally *t, const struct trace_stream *s, bool stacked);

/* Whether its accesses count in the total of the layer. */
bool op_tally_is_in_total(const struct op_tally *o);

/* Adds a batch; @ops[stream] is from tally_op(). */
void tally_batch(struct tally *t, const struct trace_batch *b, void *const *ops);

/* Settles all spans. */
void tally_settle(struct tally *t, u64 before_ns);

/* Makes a measurement, without the fields that only the kernel programs know. Call it after
 * tally_settle() with ~0. */
struct measurement *tally_measure(const struct tally *t, const struct names *names, u64 elapsed_ns);

#endif
