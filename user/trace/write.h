/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a trace. One thread at a time may use a writer. */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* Creates @path with mode 0600, see trace_file_create(). @meta, the object of META, stays the
 * caller's; NULL: empty. @o NULL: all 0. -errno, printed. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* Return the number, from 1, of an equal name or stream, or add it. The numbers that @n and @s
 * refer to must exist. The text is copied. Memory is freed at the end only. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* The name that trace_name() numbered. Valid until the next trace_name(). */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Adds an access. When a chunk is full, packs and writes it, which takes some ms. -EINVAL: invalid
 * stream or flags. Another error, such as a full disk, is printed once and returned by all later
 * calls; the file then ends with its last whole chunk. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes the accesses kept in memory, so that a crash does not lose them. */
int trace_flush(struct trace_writer *w);

/* Bytes written to all files. */
u64 trace_written(const struct trace_writer *w);

/* Identifies the current file. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

/* Accesses of @layer written to all files, without parts of requeued ones. */
u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Discards a trace of one file, instead of trace_finish(): removes the file, or empties it if the
 * writer did not create it. NULL is fine. */
void trace_abandon(struct trace_writer *w);

/* Completes the trace: writes the kept accesses and @sums (NULL: none), syncs all files and frees
 * @w. NULL is fine. -errno, printed; -E2BIG: the trace is complete except for @sums. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
