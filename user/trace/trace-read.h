/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a trace. The caller calls trace_open(), then trace_next() for each batch of accesses until
 * it returns 0, then trace_close(). */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Memory in bytes that the largest permitted META and SUMS chunks take. trace_open() and
 * trace_next() need at most this, plus a small multiple of the file's size for the names and the
 * index of the chunks. So a hostile file cannot exhaust the memory. */
#define TRACE_READER_BYTES (128 << 20)
/* Opens the regular file @path and reads the heads of all chunks, and the chunks META, SUMS and
 * END. @columns is a set of enum trace_column: the optional fields of accesses to read. Returns 0,
 * or -errno after it has printed an error. */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r); /* does nothing if @r is NULL */

/* Reads the next chunk of accesses into *@batch. Returns their number, or 0 at the end of the file.
 * Skips damaged chunks and counts them in trace_state(). If the file cannot be read, prints an
 * error and returns -errno. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* Return the name or stream with number @number in this file, or NULL if no chunk read so far has
 * it. The pointer is valid until trace_close(). If a stream is known, so are its names and all
 * parents of its cgroup. In the first file of a trace, the numbers are those that the writer
 * returned. Numbers are missing after damaged chunks. No number exceeds a third of the file's size
 * in bytes. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
/* Return the highest number of a name of @kind, and of a stream, read so far. */
u32 trace_names(const struct trace_reader *r, u32 kind);
u32 trace_streams(const struct trace_reader *r);

/* Return the JSON object of the META or SUMS chunk, or NULL if the chunk is missing. The reader
 * owns the object. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
