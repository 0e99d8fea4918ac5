/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call trace_open(), then trace_next() until it returns 0, then trace_close(). */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Memory for the largest META and SUMS. In addition, a reader needs a small multiple of the file's
 * size. */
#define TRACE_READER_BYTES (128 << 20)
/* Reads all heads, META, SUMS and END. @columns: optional fields (enum trace_column). Returns 0, or
 * -errno after it has printed an error. */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r);

/* Returns the number of accesses, or 0 at the end. Damaged chunks are skipped and counted. Returns
 * -errno after it has printed an error. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* Return NULL if no chunk read so far has this number. If a stream is known, so are its names.
 * Numbers are missing after damaged chunks. No number exceeds a third of the file's size. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
/* Return the highest number of a name of @kind, and of a stream, read so far. */
u32 trace_names(const struct trace_reader *r, u32 kind);
u32 trace_streams(const struct trace_reader *r);

/* Return the object, which the reader owns; NULL: the chunk is missing. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
