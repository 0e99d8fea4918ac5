/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace: a file with every access of an observation (Documentation/trace-format.rst). The file is
 * a head and chunks, each with a checksum. A reader skips a damaged chunk. A stream is a set of
 * attributes that many accesses share, such as layer, disk and process. The types of chunks are:
 *
 * META            first: a JSON object that says who wrote the trace and how
 * NAMES           names of disks, cgroups, processes and files; streams
 * ACCESSES        up to TRACE_CHUNK accesses, stored by column
 * SUMS            a JSON object: the report of the whole recording
 * END             last; a trace without it is incomplete
 *
 * The names of an access are in an earlier chunk than the access. Accesses are nearly in the order
 * of their ends. A split trace has the files PATH, PATH.1, PATH.2, ..., each readable without the
 * others. */
#ifndef IOSPAN_TRACE_H
#define IOSPAN_TRACE_H

#include <stdbool.h>
#include "user/base/out.h"
#include "bpf/event.h"

#define TRACE_CHUNK 32768

enum trace_kind {
	TRACE_DISK,
	TRACE_GROUP,
	TRACE_PROCESS,
	TRACE_FILE,
	TRACE_KINDS,
};
/* singular nouns for messages, such as "device"; the last element is NULL */
extern const char *const trace_kind_names[TRACE_KINDS + 1];

/* The name of a disk, cgroup, process or file. An access refers to a name by its number. The names
 * of each kind are numbered 1, 2, 3, ...; 0: there is no name, or it is unknown. */
struct trace_name {
	u32 kind;
	u32 parent; /* number of the parent's name, if this is a cgroup; else 0 */
	/* Disk: major << 20 | minor. Cgroup: its id in the kernel. Process: tgid. File: inode
	 * number. 0: unknown. */
	u64 id;
	/* device number (major << 20 | minor) of the file system, if this is a file; else 0 */
	u64 dev;
	bool stacked; /* this is a disk stacked on other disks (dm, md); totals leave it out */
	/* text of the name, such as "vda", "/job/a", "dd" or "/srv/data"; any bytes except NUL are
	 * possible */
	const char *text;
	/* names of the cgroup's container as "NAMESPACE/POD/CONTAINER", see container_names();
	 * NULL: none */
	const char *names;
};
/* Maximum size of a name's text in bytes, with its NUL. trace_name() truncates a longer text. If a
 * cgroup's text and the names of its container together exceed this size, trace_name() leaves out
 * the names of the container. */
#define TRACE_TEXT 4096

/* A stream: attributes that many accesses share. Each access has only the number of its stream (1,
 * 2, 3, ...), which keeps the trace small. */
struct trace_stream {
	u8 layer;  /* LAYER_APP, LAYER_VFS or LAYER_DEVICE of bpf/event.h */
	u8 op;	   /* operation, an enum op of bpf/event.h */
	u8 source; /* at layers app and vfs: the kind of call (enum source of bpf/abi.h); else 0 */
	u32 disk, group, process, file;
};

struct trace_access {
	/* start and end on CLOCK_MONOTONIC; in an imported trace, on the clock of the imported
	 * file */
	u64 start_ns, end_ns;
	u64 bytes;
	u64 offset; /* byte offset in the file or on the disk */
	/* at layer device: time in ns in the I/O scheduler before start_ns; 0: none */
	u64 queued_ns;
	/* If the driver requeued the request, this is its latency: the sum of the times in which
	 * the driver had the request. Otherwise this is 0, and the latency is the time from
	 * start_ns to end_ns. */
	u64 held_ns;
	u32 stream;
	u32 flags; /* bits of enum trace_flag of bpf/event.h */
};

struct trace_writer;
struct trace_file_id;
struct trace_place;

struct trace_write_options {
	/* Maximum size of a file in bytes; 0: no limit. If the next chunk would exceed the limit,
	 * the writer starts another file. Only NAMES and SUMS chunks are written even if they
	 * exceed it. */
	u64 max_bytes;
	/* number of files that the writer keeps: if there are more, it removes the oldest; 0: it
	 * keeps all */
	unsigned files_kept;
	/* directory of the trace, which the caller closes at the end; NULL: trace_create() opens
	 * it */
	const struct trace_place *place;
};
/* smallest value that max_bytes, the maximum size of a file, may have */
#define TRACE_FILE_MIN (64 << 10)
/* largest size in bytes of the JSON text in a META or SUMS chunk */
#define TRACE_OBJECT (4 << 20)

/* The accesses of one chunk, with one array per field. An array is NULL if the caller of
 * trace_open() did not ask for the field. The reader owns the arrays; the next trace_next()
 * overwrites them. */
struct trace_batch {
	u32 n;
	u64 *start_ns, *end_ns, *bytes, *offset, *queued_ns, *held_ns;
	u32 *stream;
	u8 *flags;
	u64 before_ns; /* no access in a later batch starts before this time */
	/* Earliest start and latest end in this batch. If all accesses are without times
	 * (TRACE_UNSPANNED): ~0 and 0. */
	u64 first_ns, last_ns;
	/* Accesses without times (TRACE_UNSPANNED) do not affect .before_ns, .first_ns and
	 * .last_ns. Such an access has bytes, but adds nothing to T, the time in which accesses
	 * were in flight. */
};
/* Optional fields of accesses, for trace_open(). Start, end, bytes, stream and flags are always
 * read. */
enum trace_column {
	TRACE_OFFSET = 1,
	TRACE_QUEUED = 2,
	TRACE_HELD = 4,
};

struct trace_reader;

/* Properties of the trace file that is being read, and counts of the data that were read and lost
 * so far. */
struct trace_state {
	bool whole; /* the file has its END chunk, so it is complete */
	/* the END chunk says that the trace continues in another file */
	bool followed;
	u32 file; /* number of this file in a split trace, from 0 */
	u64 row;  /* random number that all files of one split trace have in common */
	/* number of accesses in the file according to its END chunk; 0: the file has no END
	 * chunk */
	u64 written;
	u64 chunks, accesses; /* number of chunks and accesses read so far */
	u64 bad_chunks;	      /* number of chunks that are damaged or missing */
	/* number of accesses left out because the chunk with their stream or names is damaged or
	 * missing */
	u64 unknown;
	u64 ignored_bytes; /* bytes of damaged chunks, and bytes that belong to no chunk */
	/* Earliest start and latest end of the accesses read so far. Accesses without times
	 * (TRACE_UNSPANNED) are left out. */
	u64 first_ns, last_ns;
};

#endif
