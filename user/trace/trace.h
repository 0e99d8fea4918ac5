/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace: every access, in a file. Documentation/trace-format.rst has the bytes.
 *
 *	head, chunk, chunk, ...
 *
 * A chunk is whole or not there: it has a checksum over all of it. Chunks are of
 *
 *	META		who wrote it, and how: one JSON object; the first
 *	NAMES		disks, groups, processes, files, and streams
 *	ACCESSES	up to TRACE_CHUNK of them, in columns
 *	SUMS		what was counted beside it: one JSON object
 *	END		the last. A trace without it ended before its end
 *
 * Names come before the accesses that use them. Accesses come about in the order of
 * their ends: as they were gathered.
 */
#ifndef IOSPAN_TRACE_H
#define IOSPAN_TRACE_H

#include <stdbool.h>
#include "user/base/out.h"
#include "bpf/event.h"

#define TRACE_CHUNK 32768 /* accesses in one, at most */

/* ---- names ---- */

enum trace_kind {
	TRACE_DISK,
	TRACE_GROUP, /* a cgroup */
	TRACE_PROCESS,
	TRACE_FILE,
	TRACE_KINDS,
};
extern const char *const trace_kind_names[TRACE_KINDS + 1]; /* ends with a NULL */

/* Numbers are per kind, from 1 on without gaps, given by trace_name(); 0 is none or
 * unknown. */
struct trace_name {
	u32 kind;	  /* enum trace_kind */
	u32 parent;	  /* of a group: number of the one above; else 0 */
	u64 id;		  /* disk: major << 20 | minor; group: its cgroup id;
				 * process: its tgid; file: its inode; 0: has none */
	u64 dev;	  /* file: major << 20 | minor of its file system; else 0 */
	bool stacked;	  /* disk: on top of others, no part of a total */
	const char *text; /* "vda", "/job/a", "dd", "/srv/data"; any bytes but NUL */
};
#define TRACE_TEXT 4096 /* a longer text is cut there, with the end included */

/* What accesses have in common; numbered like names. */
struct trace_stream {
	u8 layer;  /* LAYER_APP, LAYER_VFS, LAYER_DEVICE of bpf/event.h */
	u8 op;	   /* enum op of bpf/event.h */
	u8 source; /* app, vfs: enum source of bpf/abi.h; else 0 */
	u32 disk, group, process, file;
};

/* ---- accesses ---- */

struct trace_access {
	u64 start_ns, end_ns; /* CLOCK_MONOTONIC, or of the file that was imported */
	u64 bytes;
	u64 offset;    /* in the file, or on the disk */
	u64 queued_ns; /* device: waited in the scheduler before; 0: did not */
	u64 held_ns;   /* response time, where parts went before; else 0: end - start */
	u32 stream;
	u32 flags; /* enum trace_flag of bpf/event.h */
};

/* ---- writing: one thread at a time ---- */

struct trace_writer;
struct trace_file_id;

struct trace_write_options {
	u64 max_bytes;	     /* a file is followed by the next before it is longer; 0: one.
				 * Each is a trace of its own, with all the names it needs.
				 * Names of one chunk, and the sums, may make it longer */
	unsigned files_kept; /* then older ones are removed; 0: all stay */
};
#define TRACE_FILE_MIN (64 << 10) /* least max_bytes */
#define TRACE_OBJECT \
	(4 << 20) /* most bytes of @meta, and of @sums, as JSON, with
					 * at most 64 Ki '{' and '[', 256 Ki ',' */

/* Makes @path, mode 0600, without following a link at its end; the second file is
 * "@path.1" and so on. What exists is never written over, unless it is an empty file of
 * this user's own. @meta stays the caller's, NULL: nothing to say; @o NULL: as all 0.
 * -errno, printed. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* The number of @n, or of @s, now or ever since it was first given; never 0. What they
 * refer to has its number already. The text is copied; each takes memory until the end. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* The name to which trace_name() gave @number. Valid until its next call. */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Keeps @a until its chunk is full, then packs and writes that: some ms. -EINVAL: no such
 * stream, or flags above 255. Any other error (a full disk) is printed once, and is that of
 * all later calls; the file then ends with its last whole chunk. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes what is kept: so that a crash loses no more than what comes after. */
int trace_flush(struct trace_writer *w);

u64 trace_written(const struct trace_writer *w); /* bytes so far, all files */

/* Tells the file that is being written from another one that has its name later. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

/* Whole accesses of @layer that are in the files so far. */
u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Instead of trace_finish(), of a trace of one file that nobody wants: removes it, or empties it if
 * it was there before. NULL is fine. */
void trace_abandon(struct trace_writer *w);

/* The end: writes what is kept, then @sums (NULL: none), and everything to the disk. 0 or
 * -errno, printed; -E2BIG: @sums were too long, the rest is there. @w is gone; NULL is
 * fine. */
int trace_finish(struct trace_writer *w, const struct out *sums);

/* ---- reading ---- */

/* Accesses of one chunk; columns of n. Owned by the reader, until its next call. Only
 * the columns asked for; the others are NULL. */
struct trace_batch {
	u32 n;
	u64 *start_ns, *end_ns, *bytes, *offset, *queued_ns, *held_ns;
	u32 *stream;
	u8 *flags;
	u64 before_ns;	       /* no access that is yet to come, with an interval, begins
				 * before this */
	u64 first_ns, last_ns; /* first begin and last end in its chunk, TRACE_UNSPANNED
				 * left aside; of none ~0 and 0 */
};
enum trace_column { /* start, end, bytes, stream, flags are always there */
		    TRACE_OFFSET = 1,
		    TRACE_QUEUED = 2,
		    TRACE_HELD = 4,
};

struct trace_reader;

/* What was found of a trace, told while and after it is read. */
struct trace_state {
	bool whole;	       /* it has its last chunk */
	bool followed;	       /* which says that another file follows */
	u32 file;	       /* its number in the row of files, from 0 */
	u64 row;	       /* random; all files of a row have the same */
	u64 written;	       /* accesses that the whole file has; of others 0 */
	u64 chunks, accesses;  /* read */
	u64 bad_chunks;	       /* with a wrong checksum, or missing in the row */
	u64 unknown;	       /* accesses left out: their names were in such a chunk */
	u64 ignored_bytes;     /* after the last whole chunk, and in bad ones */
	u64 first_ns, last_ns; /* of the chunks read, as in a batch */
};

/* Opens @path, a regular file. What it allocates is bounded, whatever is in the file:
 * TRACE_READER_BYTES, and as much as the names and one entry per chunk take, no more
 * than some times the size of the file. -errno, printed with the offset. */
#define TRACE_READER_BYTES (128 << 20) /* mostly of META and SUMS, if they are huge */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r); /* NULL is fine */

/* The next accesses: how many; 0: no more. What is damaged is left out and counted, and no
 * error: -errno, printed, only if the file cannot be read. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* From the beginning again. */
void trace_rewind(struct trace_reader *r);

/* Those named so far, by their numbers in this file; NULL: no such. They stay where they
 * are until trace_close(). All that a stream names, and the groups above, are there. In
 * the first file of a row they are the numbers that the writer gave; a damaged file lacks
 * some. None is above a third of the file's size. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
u32 trace_names(const struct trace_reader *r, u32 kind); /* highest */
u32 trace_streams(const struct trace_reader *r);

/* The objects of META and SUMS, or NULL: not there; trace_open() reads both. The
 * reader's own. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
