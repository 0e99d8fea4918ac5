/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace: a file with every access of an observation. Documentation/trace-format.rst specifies its
 * bytes.
 *
 *	head, chunk, chunk, ...
 *
 * Each chunk has a checksum. A damaged chunk is skipped as a whole. The types are
 *
 *	META		the first chunk: one JSON object, who wrote the trace and how
 *	NAMES		names of disks, cgroups, processes, files; streams
 *	ACCESSES	up to TRACE_CHUNK accesses, in columns
 *	SUMS		one JSON object, the result that was measured beside the trace
 *	END		the last chunk; a trace without it is incomplete
 *
 * A name precedes the accesses that use it. Accesses are nearly in the order of their ends.
 *
 * A row of files is one trace that was split: PATH, PATH.1, PATH.2 and so on. Each file is a trace
 * of its own.
 */
#ifndef IOSPAN_TRACE_H
#define IOSPAN_TRACE_H

#include <stdbool.h>
#include "user/base/out.h"
#include "bpf/event.h"

#define TRACE_CHUNK 32768 /* most accesses in a chunk */

/* ---- names ---- */

enum trace_kind {
	TRACE_DISK,
	TRACE_GROUP, /* a cgroup */
	TRACE_PROCESS,
	TRACE_FILE,
	TRACE_KINDS,
};
extern const char *const trace_kind_names[TRACE_KINDS + 1]; /* ends with a NULL */

/* trace_name() numbers the names of each kind from 1 without gaps; 0: none or unknown. */
struct trace_name {
	u32 kind;	  /* enum trace_kind */
	u32 parent;	  /* cgroup: number of its parent; else 0 */
	u64 id;		  /* disk: major << 20 | minor; cgroup: its id; process: tgid;
				 * file: inode; 0: none */
	u64 dev;	  /* file: major << 20 | minor of its file system; else 0 */
	bool stacked;	  /* disk: on top of other disks, in no total */
	const char *text; /* "vda", "/job/a", "dd", "/srv/data"; any bytes but NUL */
};
#define TRACE_TEXT 4096 /* bytes with the NUL; trace_name() cuts a longer text */

/* The attributes that several accesses share; numbered like names. */
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
	u64 queued_ns; /* device: time in the scheduler before the start; 0: none */
	u64 held_ns;   /* latency if parts of the access precede; 0: end - start */
	u32 stream;
	u32 flags; /* enum trace_flag of bpf/event.h */
};

/* ---- writing: one thread at a time ---- */

struct trace_writer;
struct trace_file_id;
struct trace_place;

struct trace_write_options {
	/* size of a file after which the next one starts; 0: one file. A chunk of names, or the
	 * sums, may exceed it */
	u64 max_bytes;
	unsigned files_kept; /* newest files of the row that are kept; 0: all */
	/* the open directory of the path, which the caller closes last; NULL: trace_create() opens
	 * it */
	const struct trace_place *place;
};
#define TRACE_FILE_MIN (64 << 10) /* smallest max_bytes */
#define TRACE_OBJECT (4 << 20)	  /* most bytes of META and of SUMS as JSON, see object_fits() */

/* ---- reading ---- */

/* Columns of the @n accesses of one chunk. Columns that were not requested are NULL. The reader
 * owns them; they are valid until the next trace_next(). */
struct trace_batch {
	u32 n;
	u64 *start_ns, *end_ns, *bytes, *offset, *queued_ns, *held_ns;
	u32 *stream;
	u8 *flags;
	u64 before_ns;	       /* no access of a later batch starts before */
	u64 first_ns, last_ns; /* first start and last end; if there are none ~0 and 0 */
	/* before_ns, first_ns and last_ns ignore accesses with TRACE_UNSPANNED */
};
enum trace_column { /* start, end, bytes, stream and flags are always present */
		    TRACE_OFFSET = 1,
		    TRACE_QUEUED = 2,
		    TRACE_HELD = 4,
};

struct trace_reader;

/* The state of a trace and the losses so far. */
struct trace_state {
	bool whole;	       /* the file has its END chunk */
	bool followed;	       /* END says that another file follows */
	u32 file;	       /* number of the file in its row, from 0 */
	u64 row;	       /* random, equal in all files of a row */
	u64 written;	       /* accesses in the file according to END; else 0 */
	u64 chunks, accesses;  /* read so far */
	u64 bad_chunks;	       /* damaged or missing */
	u64 unknown;	       /* accesses dropped because their names were in such a chunk */
	u64 ignored_bytes;     /* bytes in bad chunks, and between and after chunks */
	u64 first_ns, last_ns; /* first start and last end so far, as in a batch */
};

#endif
