/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a trace as a series of chunks; trace.h explains them. A stream is a set of attributes that
 * many accesses share, such as disk and process. */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* Creates a trace at @path. @meta is the JSON object of the META chunk (NULL: an empty object); the
 * caller still owns @meta. @o may be NULL: no options. Returns 0, or -errno after it has printed an
 * error. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* Return the number (1, 2, 3 ...) by which accesses refer to a name or stream. Equal names get the
 * same number, and so do equal streams. A stream refers to its names by number, and so does a
 * cgroup to its parent. So the caller adds these names first, by trace_name(). The writer owns its
 * copies of names and streams. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* Returns the name for which trace_name() has returned @number. The pointer is valid until the next
 * call of trace_name(). */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Adds an access to the trace. Returns 0, or -EINVAL if its stream number or flags are invalid. Any
 * other error, such as a full disk, is final. It is printed once, and the file is cut after its
 * last complete chunk. All later calls return the same error. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes the accesses that are still in memory to the file, so that a crash of iospan does not lose
 * them. Returns 0, or an error as trace_add() does. */
int trace_flush(struct trace_writer *w);

u64 trace_written(const struct trace_writer *w);

const struct trace_file_id *trace_id(const struct trace_writer *w);

u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Gives up the trace: removes its current file, or empties the file if it existed before the trace.
 * Frees @w, which may be NULL. */
void trace_abandon(struct trace_writer *w);

/* Completes the trace with the report @sums (NULL: none), and frees @w, which may be NULL. Returns
 * 0, or -errno after it has printed an error. With -E2BIG, the trace is complete except for
 * @sums. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
