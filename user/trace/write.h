/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TRACE_WRITE_H
#define IOSPAN_TRACE_WRITE_H

#include "user/trace/trace.h"

/* Makes @path, mode 0600, without following a link at its end; the second file is
 * "@path.1" and so on. What exists is never written over, unless it is an empty file of
 * this user's own. @meta stays the caller's, NULL: nothing to say; @o NULL: as all 0.
 * -errno, printed. */
int trace_create(struct trace_writer **w, const char *path, const struct out *meta,
		 const struct trace_write_options *o);

/* The number of @n, or of @s, now or ever since it was first given; never 0. What they
 * refer to has its number already. The text is copied; each takes memory until the end. */
u32 trace_name(struct trace_writer *w, const struct trace_name *n);
u32 trace_stream(struct trace_writer *w, const struct trace_stream *s);

/* The name to which trace_name() gave @number. Valid until its next call. */
const struct trace_name *trace_name_given(const struct trace_writer *w, u32 kind, u32 number);

/* Keeps @a until its chunk is full, then packs and writes that: some ms. -EINVAL: no such
 * stream, or flags above 255. Any other error (a full disk) is printed once, and is that of
 * all later calls; the file then ends with its last whole chunk. */
int trace_add(struct trace_writer *w, const struct trace_access *a);

/* Writes what is kept: so that a crash loses no more than what comes after. */
int trace_flush(struct trace_writer *w);

u64 trace_written(const struct trace_writer *w); /* bytes so far, all files */

/* Tells the file that is being written from another one that has its name later. */
const struct trace_file_id *trace_id(const struct trace_writer *w);

/* Whole accesses of @layer that are in the files so far. */
u64 trace_accesses(const struct trace_writer *w, u32 layer);

/* Instead of trace_finish(), of a trace of one file that nobody wants: removes it, or empties it if
 * it was there before. NULL is fine. */
void trace_abandon(struct trace_writer *w);

/* The end: writes what is kept, then @sums (NULL: none), and everything to the disk. 0 or
 * -errno, printed; -E2BIG: @sums were too long, the rest is there. @w is gone; NULL is
 * fine. */
int trace_finish(struct trace_writer *w, const struct out *sums);

#endif
