/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a trace. Call trace_open(), then trace_next() for each batch of accesses until it
 * returns 0, then trace_close(). A file is a series of chunks: META says how the trace was made,
 * SUMS has the report of the whole recording, and END is the last one. A stream is a set of
 * attributes, such as disk and process, that many accesses share. */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Memory in bytes that the largest JSON texts in a trace's META and SUMS chunks can take. For names
 * and the index of chunks, a reader needs in addition a small multiple of the file's size. */
#define TRACE_READER_BYTES (128 << 20)
/* Opens the file @path. Reads the heads of all chunks, and the chunks META, SUMS and END. @columns
 * has the bits (enum trace_column) of the optional fields of accesses to read. Returns 0, or -errno
 * after it has printed an error. */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r);

/* Reads the next chunk of accesses into *@batch. Returns the number of accesses, or 0 at the end of
 * the file. Skips and counts damaged chunks. Returns -errno after it has printed an error. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* Return the name or stream with number @number; NULL: no chunk read so far has it, or that chunk
 * is damaged. If a stream is known, its names are known, too. No number exceeds a third of the
 * file's size in bytes (NAME_STORED_MIN). */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
/* trace_names() returns the highest number of a name of @kind that was read so far; trace_streams()
 * returns the highest number of a stream. */
u32 trace_names(const struct trace_reader *r, u32 kind);
u32 trace_streams(const struct trace_reader *r);

/* Return the JSON object of the META or SUMS chunk, which the reader owns; NULL: the chunk is
 * missing. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
