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

#endif
