/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses of several traces as of one: in batches, about in the order of time, on one
 * clock, under common names, without what is not wanted. */
#ifndef IOSPAN_INPUT_H
#define IOSPAN_INPUT_H

#include "tools/input/names.h"
#include "user/base/opt-common.h"
#include "user/base/output.h"
#include "user/trace/filter.h"
#include "user/trace/write.h"

/* Pointers that a consumer keeps for each stream, so that it need not look them up for each access.
 * If the first is NULL, nobody wants the accesses of the stream. */
#define INPUT_SLOTS (1 + TRACE_KINDS)

/* The streams of one file, by the file's numbers. */
struct ways {
	u32 n, room;
	struct trace_stream *streams; /* with our names */
	void **slots[INPUT_SLOTS];    /* of each stream */
	bool all;		      /* all streams are wanted */
};

/* One trace: the files of one recording. */
struct origin {
	char **files;
	u32 files_n, at;
	u64 *later_ns;		     /* by file: nothing in those after it begins before */
	struct trace_reader *reader; /* of file @at; NULL: the end */
	const struct trace_batch *next;
	u32 *numbers[TRACE_KINDS], numbers_n[TRACE_KINDS]; /* file's -> ours */
	struct ways ways;
	s64 shift_ns;
	char *host; /* before its names; NULL: nothing */
	bool used;  /* its @next was given out */
};

struct input {
	struct origin *origins;
	u32 n;
	struct names names;
	struct trace_filter filter;
	u64 begin_ns;		/* of the observation */
	u64 from_ns, to_ns;	/* what is wanted of it; on the common clock */
	u64 last_ns;		/* latest end so far */
	u64 accesses;		/* read so far */
	unsigned seen;		/* layers of which there were accesses: bits */
	struct trace_batch cut; /* what is left of a batch; its columns are ours */
	void *columns;
	/* Called for each stream that the filter passes: sets the slots of the consumer. NULL: the
	 * first slot of a countable stream is set, to the input. */
	void (*stream)(void *arg, const struct trace_stream *s, bool stacked,
		       void *slots[INPUT_SLOTS]);
	void *stream_arg;
	/* Called when all that is wanted of a file was read. */
	void (*done)(void *arg, const char *path, const struct trace_reader *r);
	void *arg;
};

struct piece {
	const struct trace_batch *batch;
	const struct ways *ways;
	u64 before_ns; /* neither in it nor later does an access begin before */
};

/* The options that fill a struct trace_filter with names. */
#define INPUT_NAME_OPTS(filter) \
	OPT_DEVICE(&(filter).text[TRACE_DISK]), OPT_CGROUP(&(filter).text[TRACE_GROUP]), \
		OPT_PROCESS(&(filter).text[TRACE_PROCESS]), OPT_FILE(&(filter).text[TRACE_FILE])

/* Opens @paths, each with the files that continue it. @shifts is added to the times of
 * each; @from_ns and @to_ns (0: the end) count from the begin. -errno, printed. */
int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns);

/* 1: another piece, which lasts until the next call; 0: no more; -errno, printed. */
int input_next(struct input *in, struct piece *p);

/* No more of it is wanted: what it says of itself so far. */
void input_done(struct input *in);

/* Whether the operands of a command can be @n paths, and what it is to leave out a time; -EUSAGE,
 * printed. */
int input_check(char *const *paths, int n, u64 from_ns, u64 to_ns);

/* The time that was observed, or what is wanted of it; @told_ns: as the traces say. */
u64 input_elapsed_ns(const struct input *in, u64 told_ns);

/* Whether the accesses of @s, with our names, are those of a disk made of other disks. */
bool input_is_stacked(const struct input *in, const struct trace_stream *s);

/* From the beginning again. */
int input_rewind(struct input *in);
void input_close(struct input *in);

/* @ns later; times below 0 are 0. */
u64 shifted(u64 ns, s64 shift_ns);

/* What of the origin's batch is wanted: the batch itself, or @in->cut. */
const struct trace_batch *input_cut(struct input *in, const struct origin *s);

#endif
