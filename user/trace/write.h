/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* trace_file_create() says when an existing file is used. @meta: the object of META, kept by the
 * caller; NULL: empty. @o NULL: all 0. Returns 0, or -errno after it has printed an error. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* Numbers from 1, for accesses. Equal names keep theirs; others are copied. Numbers in @n and @s
 * must come from these functions. The writer owns the memory. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* Valid until the next trace_name(). */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* A full chunk is written, which takes some ms. Returns -EINVAL for an invalid stream or flags.
 * Other errors, such as a full disk, are printed once, returned by all later calls, and leave
 * complete chunks. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes the accesses in memory, so that a crash of iospan does not lose them. */
int trace_flush(struct trace_writer *w);

u64 trace_written(const struct trace_writer *w);

/* Identifies the current file. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Instead of trace_finish(), for a trace with one file: removes it, or empties one that existed
 * before. Accepts NULL. */
void trace_abandon(struct trace_writer *w);

/* Writes accesses and the report @sums (NULL: none), calls fsync(), frees @w (may be NULL). Returns
 * 0, or -errno after it has printed an error; after -E2BIG only @sums are missing. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
