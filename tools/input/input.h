/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads several traces as one. Batches come roughly in the order of time. All times are on one clock.
 * A name has the same number in all traces, that of struct names. Accesses that the filter or the
 * time range excludes are dropped.
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

/* A slot is a pointer that the consumer stores for a stream. It saves a lookup for each access.
 * If a stream's first slot is NULL, its accesses are dropped. */
#define INPUT_SLOTS (1 + TRACE_KINDS)

/* The streams of the open file, indexed by their numbers in that file. */
struct input_streams {
	u32 n, room;
	struct trace_stream *list; /* with the name numbers of struct names */
	void **slots[INPUT_SLOTS]; /* indexed by slot, then by stream */
	bool all;		   /* true if no stream is dropped */
};

struct input_trace {
	char **files;
	u32 files_n, at;
	u64 *later_ns;		     /* earliest start in the files after files[i], by i */
	struct trace_reader *reader; /* reader of files[at]; NULL at the end of the trace */
	const struct trace_batch *next;
	/* by kind: maps name numbers of the file to those of struct names */
	u32 *numbers[TRACE_KINDS], numbers_n[TRACE_KINDS];
	struct input_streams streams;
	s64 shift_ns;
	char *host; /* prefix of the names of this trace, or NULL */
	bool used;  /* true if the consumer has got the batch @next */
};

struct input {
	struct input_trace *traces;
	u32 n;
	struct names names;
	struct trace_filter filter;
	u64 begin_ns;	    /* start of the observation; all times are on the common clock */
	u64 from_ns, to_ns; /* time range; 0 and ~0 mean no limit */
	u64 last_ns;	    /* latest end of the accesses read so far */
	u64 accesses;	    /* number of accesses read so far */
	unsigned seen;	    /* one bit per layer that has streams not dropped */
	struct trace_batch clipped; /* the current batch after filter, time range and clock shift */
	void *columns;		    /* memory for the arrays of @clipped */
	/* Sets the consumer's slots of stream @s, which passes the filter. If this is NULL, the
	 * first slot of each countable stream is set to the struct input. */
	void (*stream)(void *arg, const struct trace_stream *s, bool stacked,
		       void *slots[INPUT_SLOTS]);
	void *stream_arg;
	/* Called after the last access of a file was read. */
	void (*done)(void *arg, const char *path, const struct trace_reader *r);
	void *arg;
};

struct input_batch {
	const struct trace_batch *accesses;
	const struct input_streams *streams;
	u64 before_ns; /* no access of this batch or of a later one starts before this time */
};

/* The options that fill a struct trace_filter with names. */
#define INPUT_NAME_OPTS(filter) \
	OPT_DEVICE(&(filter).text[TRACE_DISK]), OPT_CGROUP(&(filter).text[TRACE_GROUP]), \
		OPT_PROCESS(&(filter).text[TRACE_PROCESS]), OPT_FILE(&(filter).text[TRACE_FILE])

/* Opens the traces @paths, each with the files that continue it. @shifts[i] is added to the
 * times of trace i. @columns is a mask of enum trace_column. @from_ns and @to_ns count from the
 * start of the observation; 0 means no limit. Returns 0 or -errno; prints the error. Call
 * input_close() in either case. */
int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns);

/* Reads the next batch, which is valid until the next call. Returns 1, or 0 at the end, or
 * -errno; prints the error. */
int input_next(struct input *in, struct input_batch *b);

/* Ends the reading early. Calls done() for the files that are still open. */
void input_done(struct input *in);

/* Checks the operands and the time range of a command. Returns 0 or -EUSAGE; prints the error. */
int input_check(char *const *paths, int n, u64 from_ns, u64 to_ns);

/* Returns the length of the observation within the time range. @recorded_ns is the length that
 * the traces state. */
u64 input_elapsed_ns(const struct input *in, u64 recorded_ns);

/* Returns true if the stream @s belongs to a stacked disk. Its name numbers are those of struct
 * names. */
bool input_is_stacked(const struct input *in, const struct trace_stream *s);

/* Starts again at the first batch. The slots of all streams are set again. Returns 0 or -errno;
 * prints the error. */
int input_rewind(struct input *in);
void input_close(struct input *in);

#endif
