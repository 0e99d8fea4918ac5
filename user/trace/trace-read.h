/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a trace. The caller calls trace_open(), then trace_next() until it returns 0, then
 * trace_close(). */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Opens the regular file @path. Reads the heads of all chunks, and the chunks META, SUMS and END.
 * @columns is a set of enum trace_column. Memory is bounded for any file: TRACE_READER_BYTES, plus
 * names and an index of the chunks, which take a small multiple of the file's size. Returns 0, or
 * -errno after it has printed an error. */
#define TRACE_READER_BYTES (128 << 20) /* enough for META and SUMS chunks of the largest size */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r); /* @r may be NULL */

/* Reads the next chunk of accesses. Returns their number, or 0 at the end. Skips damaged chunks and
 * counts them in trace_state(). If the file cannot be read, prints an error and returns -errno. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* Return a name or stream by its number in this file, or NULL if it is not known so far. The result
 * is valid until trace_close(). If a stream is known, its names and all parents of its cgroup are
 * known too. In file 0 of a trace, the numbers are those that the writer returned. If chunks are
 * damaged, numbers are missing. No number exceeds a third of the file's size. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
u32 trace_names(const struct trace_reader *r, u32 kind); /* returns the highest number */
u32 trace_streams(const struct trace_reader *r);

/* Return the JSON object of the META or SUMS chunk, which the reader owns. NULL: the chunk is
 * missing. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
