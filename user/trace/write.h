/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes accesses to a trace. Only one thread at a time may use a writer. */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* Creates a trace at @path; trace_file_create() says when an existing file is used. @meta is the
 * JSON object of the META chunk (NULL: an empty object); the caller keeps it. If @o is NULL, all
 * options are 0. Returns 0, or -errno after it has printed an error. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* Return the number of name @n or stream @s, from 1, with which accesses refer to it. A name that
 * the trace has already keeps its number; otherwise it is added, with a copy of its text. Numbers
 * of names in @n and @s must have been returned before. The memory is freed only with the
 * writer. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* Returns the name to which trace_name() gave @number. The pointer is valid until the next call of
 * trace_name(). */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Adds one access. When a chunk is full, compresses and writes it, which takes some ms. Returns
 * -EINVAL if the stream or the flags are invalid. Another error, such as a full disk, is printed
 * once and returned by all later calls. The file then ends with its last complete chunk. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes all accesses that are in memory to the file, so that a crash of iospan does not lose
 * them. */
int trace_flush(struct trace_writer *w);

u64 trace_written(const struct trace_writer *w);

/* Returns the inode number and other properties that identify the current file, see struct
 * trace_file_id. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

/* Returns the number of accesses of @layer written to the trace. A requeued request counts once. */
u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Discards a trace that has only one file: removes the file, or empties it if it existed before,
 * and frees @w. Used instead of trace_finish(). @w may be NULL. */
void trace_abandon(struct trace_writer *w);

/* Completes the trace: writes the accesses in memory and the report @sums (NULL: none), calls
 * fsync() and frees @w. @w may be NULL. Returns 0, or -errno after it has printed an error. After
 * -E2BIG, the trace is complete but has no @sums. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
