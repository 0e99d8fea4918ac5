/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads several traces as one. Returns filtered batches, roughly in order of time and on one clock.
 * Names have numbers that are valid for all traces (struct names). Words of tools/input:
 *
 * trace   the files of one recording, PATH, PATH.1, ...   struct input_trace
 * stream  accesses with the same layer, operation, source
 *         (kind of call), disk, cgroup, process and file  struct input_streams
 * batch   accesses of one file, read at once              struct input_batch
 * slot    a pointer that the consumer of the accesses
 *         stores for a stream                             input_streams.slots
 * bound   earliest possible start of the next accesses    input_batch.before_ns */
#ifndef IOSPAN_INPUT_H
#define IOSPAN_INPUT_H

#include "tools/input/names.h"
#include "user/base/opt-common.h"
#include "user/base/output.h"
#include "user/host/cgroup-names.h"
#include "user/trace/filter.h"
#include "user/trace/write.h"

/* Number of slots of a stream. A slot is a pointer that the consumer of the accesses stores for a
 * stream. With the slots, the consumer need not search its data for each access. If the first slot
 * is NULL, the accesses of the stream are left out. */
#define INPUT_SLOTS (2 + TRACE_KINDS)

/* The streams of the file that is being read, indexed by their numbers in that file. */
struct input_streams {
	u32 n, room;
	/* attributes of each stream; names are stored as their numbers in struct names */
	struct trace_stream *list;
	/* slots[k][i] is slot k of stream i */
	void **slots[INPUT_SLOTS];
	/* true if all streams pass the filter, so that batches need not be copied */
	bool all;
};

struct input_trace {
	char **files;
	u32 files_n, at;
	/* later_ns[i]: earliest start of an access in the files after files[i] */
	u64 *later_ns;
	/* reader of the file files[at]; NULL at the end of the trace */
	struct trace_reader *reader;
	const struct trace_batch *next;
	/* Converts the number of a name in this file to a number in struct names: name i of the
	 * file becomes numbers[kind][i]. */
	u32 *numbers[TRACE_KINDS], numbers_n[TRACE_KINDS];
	struct input_streams streams;
	s64 shift_ns;
	/* host of the trace, which becomes a prefix of its names; NULL: no prefix */
	char *host;
	/* true if input_next() has already returned the batch .next */
	bool used;
};

struct input {
	struct input_trace *traces;
	u32 n;
	struct names names;
	struct trace_filter filter;
	/* start of the observation; for this time and all times below, the clock shift (--offsets)
	 * is already added */
	u64 begin_ns;
	/* time range (--from, --to); .from_ns = 0 and .to_ns = ~0 mean no limit */
	u64 from_ns, to_ns;
	/* latest end of the accesses read so far */
	u64 last_ns;
	u64 accesses;
	/* bit mask of layers: the layers of all streams that pass the filter */
	unsigned seen;
	/* changed copy of the current batch, if the filter, time range or clock shift applies */
	struct trace_batch clipped;
	/* Called for each new stream @s that passes the filter. The callback stores pointers of its
	 * own in @slots. If .stream is NULL, input_next() returns the accesses of all streams that
	 * access_is_countable() accepts. */
	void (*stream)(void *arg, const struct trace_stream *s, bool stacked,
		       void *slots[INPUT_SLOTS]);
	void *stream_arg;
	/* Called after the last access of the file @path was read; gets .arg as @arg. NULL: nothing
	 * is called. */
	void (*done)(void *arg, const char *path, const struct trace_reader *r);
	void *arg;
};

struct input_batch {
	const struct trace_batch *accesses;
	const struct input_streams *streams;
	/* the accesses of this and all later batches start at this time or later */
	u64 before_ns;
};

/* Elements of an option table: --device, --cgroup, --process and --file. These options set the
 * patterns in @filter. */
#define INPUT_NAME_OPTS(filter) \
	OPT_DEVICE(&(filter).text[TRACE_DISK]), \
		OPT_CGROUP(&(filter).text[TRACE_GROUP], cgroup_names_parts), \
		OPT_PROCESS(&(filter).text[TRACE_PROCESS]), OPT_FILE(&(filter).text[TRACE_FILE])

/* Opens the @n traces @paths, each with its further files (@path.1 and so on). @shifts[i] (ns) is
 * added to all times of trace i. @columns is a bit mask of enum trace_column, the optional columns
 * to read. @from_ns and @to_ns are the time range, counted from the start of the observation; 0
 * means no limit. Returns 0 or -errno; prints the error. The caller calls input_close() even after
 * an error. */
int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns);

/* Reads the next batch into @b, which is valid until the next call. Returns 1 if there is a batch,
 * 0 at the end of all traces, or -errno; prints the error. */
int input_next(struct input *in, struct input_batch *b);

/* Stops reading before the end of the traces. Calls done() for the files that are still open. */
void input_done(struct input *in);

/* Returns -EUSAGE if the time range is empty; prints the error. Otherwise returns 0. */
int input_check(u64 from_ns, u64 to_ns);
/* Returns -EUSAGE if @layers, a bit mask, has more than one layer; prints the error. Otherwise
 * returns 0. */
int input_check_layer(unsigned layers);

/* Returns the start of the time range (--from) or, without --from, the start of the observation.
 * The clock shift (--offsets) is already added. */
u64 input_from_ns(const struct input *in);

/* Returns the length in ns of the observation, cut to the time range. The observation lasts for
 * @recorded_ns, the length that the traces state. It is longer if an access ends later. */
u64 input_elapsed_ns(const struct input *in, u64 recorded_ns);

/* Returns true if @s is a stream of a disk that is stacked on other disks. s->disk is a number in
 * in->names. */
bool input_is_stacked(const struct input *in, const struct trace_stream *s);

/* Goes back to the first batch. Calls in->stream once more for each stream. Returns 0 or -errno;
 * prints the error. */
int input_rewind(struct input *in);
void input_close(struct input *in);

/* Call this after all accesses were read. If the filters matched no access, prints which filter is
 * the cause, and returns -ENODATA. Otherwise returns 0. */
int input_check_matches(const struct input *in);

/* Adds to @in the names and streams that the reader of @t found since the last call. */
void input_add_names(struct input *in, struct input_trace *t);

/* Sets t->files to the file @path and its further files @path.1 and so on. If one of the @n traces
 * @others already has @path, leaves t->files empty. */
void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n);

/* Check that the output @o overwrites no file of the traces @paths, or of the trace @path. Return 0
 * or -errno; print the error. */
int input_spared(const struct output *o, char *const *paths, u32 n);
int input_spared_one(const struct output *o, const char *path);

#endif
