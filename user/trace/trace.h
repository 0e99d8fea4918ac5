/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace: a file with every access of an observation. Documentation/trace-format.rst specifies its
 * bytes. A trace consists of a head and chunks:
 *
 * 	head, chunk, chunk, ...
 *
 * Each chunk has a checksum. A damaged chunk is skipped as a whole. The types of chunks are
 *
 * 	META		the first chunk: a JSON object that says who wrote the trace and how
 * 	NAMES		names of disks, cgroups, processes and files; streams
 * 	ACCESSES	up to TRACE_CHUNK accesses, stored by column
 * 	SUMS		a JSON object: the report that was measured beside the trace
 * 	END		the last chunk; a trace without it is incomplete
 *
 * The names of an access are in the file before the access. Accesses are nearly in the order of
 * their ends.
 *
 * A trace may be split into a row of files: PATH, PATH.1, PATH.2 and so on. Each file can be read
 * without the others.
 *  */
#ifndef IOSPAN_TRACE_H
#define IOSPAN_TRACE_H

#include <stdbool.h>
#include "user/base/out.h"
#include "bpf/event.h"

#define TRACE_CHUNK 32768 /* largest number of accesses in a chunk */

/* ---- names ---- */

enum trace_kind {
	TRACE_DISK,
	TRACE_GROUP, /* a cgroup */
	TRACE_PROCESS,
	TRACE_FILE,
	TRACE_KINDS,
};
extern const char *const trace_kind_names[TRACE_KINDS + 1]; /* the last element is NULL */

/* The name of a disk, cgroup, process or file. trace_name() gives the names of each kind the
 * numbers 1, 2, 3 and so on. Number 0 means no name, or an unknown one. */
struct trace_name {
	u32 kind;   /* enum trace_kind */
	u32 parent; /* cgroup: number of its parent; else 0 */
	/* disk: major << 20 | minor; cgroup: its id; process: tgid; file: inode; 0: unknown */
	u64 id;
	u64 dev;	  /* file: major << 20 | minor of its file system; else 0 */
	bool stacked;	  /* disk: stacked on other disks, and therefore in no total */
	const char *text; /* "vda", "/job/a", "dd", "/srv/data"; may have any bytes except NUL */
};
#define TRACE_TEXT 4096 /* size of a text in bytes with the NUL; trace_name() cuts a longer text */

/* A stream: attributes that many accesses have in common. trace_stream() numbers streams like
 * names. */
struct trace_stream {
	u8 layer;  /* LAYER_APP, LAYER_VFS or LAYER_DEVICE of bpf/event.h */
	u8 op;	   /* enum op of bpf/event.h */
	u8 source; /* at app and vfs: enum source of bpf/abi.h; else 0 */
	u32 disk, group, process, file;
};

/* ---- accesses ---- */

struct trace_access {
	/* by CLOCK_MONOTONIC, or by the clock of the file that was imported */
	u64 start_ns, end_ns;
	u64 bytes;
	u64 offset;    /* in bytes, in the file or on the disk */
	u64 queued_ns; /* at device: time in the I/O scheduler before the start; 0: none */
	/* latency, if earlier parts of this access were requeued; 0: it is end - start */
	u64 held_ns;
	u32 stream;
	u32 flags; /* enum trace_flag of bpf/event.h */
};

/* ---- writing: only one thread at a time may use a writer ---- */

struct trace_writer;
struct trace_file_id;
struct trace_place;

struct trace_write_options {
	/* If a file has this size, the writer starts the next one; 0: only one file. A chunk of
	 * names, or the sums, may make a file larger. */
	u64 max_bytes;
	unsigned files_kept; /* number of newest files to keep; 0: all files */
	/* Open directory of the trace, which the caller closes after the writer; NULL:
	 * trace_create() opens it. */
	const struct trace_place *place;
};
#define TRACE_FILE_MIN (64 << 10) /* smallest value of max_bytes */
/* largest size in bytes of META and SUMS as JSON, see object_fits() */
#define TRACE_OBJECT (4 << 20)

/* ---- reading ---- */

/* The @n accesses of one chunk, by column. A column is NULL if it was not requested. The reader
 * owns the columns. They are valid until the next call of trace_next(). */
struct trace_batch {
	u32 n;
	u64 *start_ns, *end_ns, *bytes, *offset, *queued_ns, *held_ns;
	u32 *stream;
	u8 *flags;
	u64 before_ns;	       /* no access in a later batch starts before this time */
	u64 first_ns, last_ns; /* first start and last end in this batch; ~0 and 0 if it is empty */
	/* before_ns, first_ns and last_ns ignore accesses with the flag TRACE_UNSPANNED */
};
enum trace_column { /* optional columns; start, end, bytes, stream and flags are always there */
		    TRACE_OFFSET = 1,
		    TRACE_QUEUED = 2,
		    TRACE_HELD = 4,
};

struct trace_reader;

/* The state of a trace that is being read, and what was lost so far. */
struct trace_state {
	bool whole; /* true if the file has its END chunk */
	/* true if the END chunk says that the trace continues in another file */
	bool followed;
	u32 file;	      /* number of this file among those of the trace, from 0 */
	u64 row;	      /* random number that all files of a trace have */
	u64 written;	      /* accesses in the file according to END; 0 if END is missing */
	u64 chunks, accesses; /* number of chunks and accesses read so far */
	u64 bad_chunks;	      /* number of chunks that are damaged or missing */
	/* accesses dropped because the NAMES chunk of their stream is damaged or missing */
	u64 unknown;
	u64 ignored_bytes;     /* bytes in damaged chunks, between chunks, and after the last one */
	u64 first_ns, last_ns; /* first start and last end so far, as in a batch */
};

#endif
