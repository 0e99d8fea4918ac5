/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a trace. Only one thread at a time may use a writer. */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* Creates a trace at @path as trace_file_create() does. @meta is the JSON object of the META chunk
 * and stays owned by the caller; NULL: an empty object. @o NULL: all options are 0. Returns 0, or
 * -errno after it has printed an error. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* Return the number, from 1, of an equal name or stream. If there is none, add @n or @s, and copy
 * its text. The numbers in @n and @s must have been returned before. The memory is freed only with
 * the writer. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* Returns the name for which trace_name() returned @number. It is valid until the next call of
 * trace_name(). */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Adds an access. If the chunk is full, packs and writes it, which takes some ms. Returns -EINVAL
 * if the stream or the flags are invalid. Another error, such as a full disk, is printed once and
 * returned by all later calls. The file then ends with its last complete chunk. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes the accesses that are kept in memory, so that they are not lost in a crash. */
int trace_flush(struct trace_writer *w);

/* Returns the number of bytes written to all files. */
u64 trace_written(const struct trace_writer *w);

/* Returns the id of the current file. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

/* Returns the number of accesses of @layer written to all files. The parts of a requeued access are
 * not counted. */
u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Frees @w without completing the trace; used instead of trace_finish(). The trace must have only
 * one file. Removes that file, or empties it if the writer did not create it. @w may be NULL. */
void trace_abandon(struct trace_writer *w);

/* Completes the trace: writes the accesses kept in memory and @sums (NULL: none), syncs all files
 * and frees @w. @w may be NULL. Returns 0, or -errno after it has printed an error. -E2BIG: the
 * trace is complete except for @sums. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
