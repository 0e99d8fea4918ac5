/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a trace. Call trace_open(), then trace_next() for each batch of accesses until it returns
 * 0, then trace_close(). trace.h explains the chunks. A stream is a set of attributes that many
 * accesses share, such as disk and process. */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"

/* Opens the file @path. Reads the heads of all chunks, and the chunks META, SUMS and END. @columns
 * has the bits (enum trace_column) of the optional fields of accesses to read. Returns 0, or -errno
 * after it has printed an error. */
int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r);

/* Reads the next undamaged chunk of accesses into *@batch. Returns the number of accesses, 0 at
 * the end of the file, or -errno after it has printed an error. Damaged chunks are skipped and
 * counted. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* Return the name or stream with number @number. Return NULL if no chunk read so far has it, or if
 * its chunk is damaged. If a stream is known, its names are known, too. Even in a damaged file, a
 * number is at most a third of the file's size in bytes (see NAME_STORED_MIN). So an array indexed
 * by numbers stays small. */
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

/* Allocates arrays for @n accesses: arrays of start, end, bytes, stream and flags, and an array for
 * each field in @columns (bits of enum trace_column). trace_batch_release() frees them. */
void trace_batch_alloc(struct trace_batch *b, u32 n, unsigned columns);
void trace_batch_release(struct trace_batch *b);

#endif
