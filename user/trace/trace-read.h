/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a trace. Usage: trace_open(), trace_next() until it returns 0, trace_close(). */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Opens @path, a regular file, reads the heads of all chunks, and META, SUMS and END. @columns is a
 * set of enum trace_column. Memory is bounded for any contents: TRACE_READER_BYTES, plus names and
 * an index of the chunks, which take a small multiple of the file's size. -errno, printed. */
#define TRACE_READER_BYTES (128 << 20) /* enough for the largest META and SUMS */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r); /* NULL is fine */

/* Reads the next chunk of accesses. Returns their number; 0 at the end. Damaged chunks are skipped
 * and counted in trace_state(). -errno, printed, only if the file cannot be read. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* A name or stream by its number in this file; NULL if it is not known so far. Valid until
 * trace_close(). If a stream is known, so are its names, and all parents of its cgroup. In the
 * first file of a row the numbers are those of the writer. Numbers have gaps if chunks are damaged;
 * none exceeds a third of the file's size. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
u32 trace_names(const struct trace_reader *r, u32 kind); /* the highest number */
u32 trace_streams(const struct trace_reader *r);

/* META and SUMS; NULL if missing. The reader owns them. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
