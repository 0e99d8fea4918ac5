/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace: a file with every access of an observation. An access is one I/O; see struct
 * trace_access. Documentation/trace-format.rst specifies the bytes of the file. It consists of a
 * head and chunks:
 *
 *	head, chunk, chunk, ...
 *
 * Each chunk has a checksum. A damaged chunk is skipped as a whole. The types of chunks are
 *
 *	META		the first chunk: a JSON object that says who wrote the trace and how
 *	NAMES		names of disks, cgroups, processes and files; streams
 *	ACCESSES	up to TRACE_CHUNK accesses, stored by column
 *	SUMS		a JSON object: the report that was measured beside the trace
 *	END		the last chunk; a trace without it is incomplete
 *
 * The names of an access are in the file before the access. Accesses are nearly in the order of
 * their ends.
 *
 * A trace may be split into several files: PATH, PATH.1, PATH.2 and so on. Each file can be read
 * without the others. */
#ifndef IOSPAN_TRACE_H
#define IOSPAN_TRACE_H

#include <stdbool.h>
#include "user/base/out.h"
#include "bpf/event.h"

#define TRACE_CHUNK 32768 /* largest number of accesses in a chunk */

/* ---- names ---- */

enum trace_kind {
	TRACE_DISK,
	TRACE_GROUP,
	TRACE_PROCESS,
	TRACE_FILE,
	TRACE_KINDS,
};
/* singular nouns for messages, such as "device"; the last element is NULL */
extern const char *const trace_kind_names[TRACE_KINDS + 1];

/* The name of a disk, cgroup, process or file. An access refers to it by a number: trace_name()
 * numbers the names of each kind 1, 2, 3 and so on. Number 0 means that there is no name or that it
 * is unknown. */
struct trace_name {
	u32 kind;   /* enum trace_kind */
	u32 parent; /* cgroup: number of its parent; else 0 */
	/* disk: major << 20 | minor; cgroup: id of the kernel; process: tgid; file: inode; 0:
	 * unknown */
	u64 id;
	u64 dev;      /* file: device number (major << 20 | minor) of its file system; else 0 */
	bool stacked; /* disk: it is stacked on other disks (dm, md), so totals leave it out */
	/* such as "vda", "/job/a", "dd", "/srv/data"; may have any bytes except NUL */
	const char *text;
};
/* maximum size of a name's text in bytes with its NUL; trace_name() truncates longer texts */
#define TRACE_TEXT 4096

/* A stream: a combination of attributes that many accesses share. Each access has only the number
 * of its stream, which keeps the trace small. trace_stream() numbers streams 1, 2, 3 and so on. */
struct trace_stream {
	u8 layer;  /* LAYER_APP, LAYER_VFS or LAYER_DEVICE of bpf/event.h */
	u8 op;	   /* enum op of bpf/event.h */
	u8 source; /* at layers app and vfs: the kind of call (enum source of bpf/abi.h); else 0 */
	u32 disk, group, process, file;
};

/* ---- accesses ---- */

struct trace_access {
	/* CLOCK_MONOTONIC; in an imported trace, the clock of the imported file */
	u64 start_ns, end_ns;
	u64 bytes;
	u64 offset;    /* byte offset in the file or on the disk */
	u64 queued_ns; /* at layer device: time in the I/O scheduler before start_ns; 0: none */
	/* Latency in ns if the request was requeued: the sum of its intervals. 0: the latency is
	 * end - start. */
	u64 held_ns;
	u32 stream;
	u32 flags; /* enum trace_flag of bpf/event.h */
};

/* ---- writing: only one thread at a time may use a writer ---- */

struct trace_writer;
struct trace_file_id;
struct trace_place;

struct trace_write_options {
	/* Maximum size of a file in bytes: then the writer starts the next one. 0: only one file. A
	 * file may become larger by a chunk of names, or by the sums at its end. */
	u64 max_bytes;
	/* the writer removes older files and keeps this number of newest ones; 0: all */
	unsigned files_kept;
	/* The open directory of the trace. The caller closes it after the writer has finished.
	 * NULL: trace_create() opens and closes the directory. */
	const struct trace_place *place;
};
#define TRACE_FILE_MIN (64 << 10) /* smallest permitted max_bytes */
/* largest size in bytes of the JSON text in a META or SUMS chunk */
#define TRACE_OBJECT (4 << 20)

/* ---- reading ---- */

/* The @n accesses of one chunk, as one array per field; start_ns[i] to flags[i] belong to access i.
 * Arrays of optional fields that trace_open() was not asked for are NULL. The reader owns the
 * arrays, and the next trace_next() overwrites them. */
struct trace_batch {
	u32 n;
	u64 *start_ns, *end_ns, *bytes, *offset, *queued_ns, *held_ns;
	u32 *stream;
	u8 *flags;
	u64 before_ns; /* accesses in later batches start at this time or later */
	/* earliest start and latest end in this batch; ~0 and 0 if it has none */
	u64 first_ns, last_ns;
	/* before_ns, first_ns and last_ns ignore accesses without an interval (TRACE_UNSPANNED) */
};
/* Optional fields for trace_open(). Start, end, bytes, stream and flags are always read. */
enum trace_column {
	TRACE_OFFSET = 1,
	TRACE_QUEUED = 2,
	TRACE_HELD = 4,
};

struct trace_reader;

/* Properties of the trace file that is being read, and counts of what was read and lost so far. */
struct trace_state {
	bool whole; /* the file has its END chunk, so it is complete */
	/* the END chunk says that the trace continues in another file */
	bool followed;
	u32 file;	      /* number of this file in a split trace, from 0 */
	u64 row;	      /* random number that all files of one split trace have in common */
	u64 written;	      /* accesses in the file, as its END chunk says; 0 without END */
	u64 chunks, accesses; /* number of chunks and accesses read so far */
	u64 bad_chunks;	      /* number of chunks that are damaged or missing */
	/* accesses left out because the chunk with their names is damaged or missing */
	u64 unknown;
	u64 ignored_bytes;     /* bytes of damaged chunks, and bytes that belong to no chunk */
	u64 first_ns, last_ns; /* earliest start and latest end so far, without TRACE_UNSPANNED */
};

#endif
