/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call trace_open(), then trace_next() until it returns 0, then trace_close(). */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Memory for the largest META and SUMS chunks. A reader needs at most this, plus a small multiple
 * of the file's size, so a hostile file cannot exhaust memory. */
#define TRACE_READER_BYTES (128 << 20)
/* Opens a regular file; reads all heads, META, SUMS and END. @columns: optional fields to read.
 * Returns 0, or -errno after it has printed an error. */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r);

/* Returns the number of accesses in *@batch, or 0 at the end of the file. Counts damaged chunks in
 * trace_state(). If the file cannot be read, prints an error and returns -errno. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* By number in this file; NULL: in no chunk read so far. Valid until trace_close(). A known stream
 * has known names and parents. Damaged chunks leave gaps; no number exceeds a third of the file's
 * size in bytes. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
/* Return the highest number of a name of @kind, and of a stream, read so far. */
u32 trace_names(const struct trace_reader *r, u32 kind);
u32 trace_streams(const struct trace_reader *r);

/* Object of META or SUMS, owned by the reader; NULL: the chunk is missing. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
