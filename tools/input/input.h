/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads several traces as one: batches about in the order of time, on one clock, with common name
 * numbers, and without the accesses that the filter or the time range drops.
 *
 * Words of tools/input:
 *
 *	trace	the files of one recording, PATH, PATH.1, ...	struct input_trace
 *	stream	accesses with the same layer, operation, source,
 *		disk, cgroup, process and file			struct input_streams
 *	batch	accesses of one file, read at once		struct input_batch
 *	slot	a consumer's pointer for a stream		input_streams.slots
 *	bound	a time before which no later access starts	input_batch.before_ns */
#ifndef IOSPAN_INPUT_H
#define IOSPAN_INPUT_H

#include "tools/input/names.h"
#include "user/base/opt-common.h"
#include "user/base/output.h"
#include "user/trace/filter.h"
#include "user/trace/write.h"

/* The consumer's slots save a lookup for each access. If the first one is NULL, the accesses of the
 * stream are dropped. */
#define INPUT_SLOTS (1 + TRACE_KINDS)

/* The streams of the open file, by their numbers in it. */
struct input_streams {
	u32 n, room;
	struct trace_stream *list; /* with common name numbers */
	void **slots[INPUT_SLOTS]; /* [slot][stream] */
	bool all;		   /* no stream is dropped */
};

struct input_trace {
	char **files;
	u32 files_n, at;
	u64 *later_ns;		     /* [file]: the files after it have no earlier start */
	struct trace_reader *reader; /* reader of files[at]; NULL at the end */
	const struct trace_batch *next;
	u32 *numbers[TRACE_KINDS], numbers_n[TRACE_KINDS]; /* number in the file -> common number */
	struct input_streams streams;
	s64 shift_ns;
	char *host; /* prefix of its names; NULL: none */
	bool used;  /* the consumer has got @next */
};

struct input {
	struct input_trace *traces;
	u32 n;
	struct names names;
	struct trace_filter filter;
	u64 begin_ns;	    /* start of the observation; all times are on the common clock */
	u64 from_ns, to_ns; /* time range; 0 and ~0: no limit */
	u64 last_ns;	    /* latest end so far */
	u64 accesses;	    /* read so far */
	unsigned seen;	    /* bit per layer with streams that pass */
	struct trace_batch clipped; /* a batch after filter, range and shift */
	void *columns;		    /* memory of @clipped */
	/* Sets the consumer's slots of a stream that passes the filter. NULL: the first slot of
	 * each countable stream is set, to the input. */
	void (*stream)(void *arg, const struct trace_stream *s, bool stacked,
		       void *slots[INPUT_SLOTS]);
	void *stream_arg;
	/* Called after the last read from a file. */
	void (*done)(void *arg, const char *path, const struct trace_reader *r);
	void *arg;
};

struct input_batch {
	const struct trace_batch *accesses;
	const struct input_streams *streams;
	u64 before_ns; /* no access of this or a later batch starts earlier */
};

/* The options that fill a struct trace_filter with names. */
#define INPUT_NAME_OPTS(filter) \
	OPT_DEVICE(&(filter).text[TRACE_DISK]), OPT_CGROUP(&(filter).text[TRACE_GROUP]), \
		OPT_PROCESS(&(filter).text[TRACE_PROCESS]), OPT_FILE(&(filter).text[TRACE_FILE])

/* Opens @paths, each with the files that continue it, and adds @shifts[i] to the times of path i.
 * @columns: enum trace_column. @from_ns and @to_ns (0: no limit) count from the start of the
 * observation. Returns 0 or -errno; prints the error. Call input_close() in either case. */
int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns);

/* Returns 1 and a batch that is valid until the next call, 0 at the end, or -errno; prints the
 * error. */
int input_next(struct input *in, struct input_batch *b);

/* Ends the reading early: calls done() for the files that are open. */
void input_done(struct input *in);

/* Checks the operands and the time range of a command. Returns 0 or -EUSAGE; prints the error. */
int input_check(char *const *paths, int n, u64 from_ns, u64 to_ns);

/* Returns the observed time within the range; @recorded_ns is the time that the traces state. */
u64 input_elapsed_ns(const struct input *in, u64 recorded_ns);

/* Whether @s, with common numbers, belongs to a stacked disk. */
bool input_is_stacked(const struct input *in, const struct trace_stream *s);

/* Restarts at the first batch; slots are set again. Returns 0 or -errno; prints the error. */
int input_rewind(struct input *in);
void input_close(struct input *in);

#endif
