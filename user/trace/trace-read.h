/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TRACE_TRACE_READ_H
#define IOSPAN_TRACE_TRACE_READ_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

int trace_open(struct trace_reader **r, const char *path, unsigned columns);
void trace_close(struct trace_reader *r); /* NULL is fine */

/* The next accesses: how many; 0: no more. What is damaged is left out and counted, and no
 * error: -errno, printed, only if the file cannot be read. */
int trace_next(struct trace_reader *r, const struct trace_batch **batch);

/* From the beginning again. */
void trace_rewind(struct trace_reader *r);

/* Those named so far, by their numbers in this file; NULL: no such. They stay where they
 * are until trace_close(). All that a stream names, and the groups above, are there. In
 * the first file of a row they are the numbers that the writer gave; a damaged file lacks
 * some. None is above a third of the file's size. */
const struct trace_name *trace_name_of(const struct trace_reader *r, u32 kind, u32 number);
const struct trace_stream *trace_stream_of(const struct trace_reader *r, u32 number);
u32 trace_names(const struct trace_reader *r, u32 kind); /* highest */
u32 trace_streams(const struct trace_reader *r);

/* The objects of META and SUMS, or NULL: not there; trace_open() reads both. The
 * reader's own. */
const struct out *trace_meta(const struct trace_reader *r);
const struct out *trace_sums(const struct trace_reader *r);

const struct trace_state *trace_state(const struct trace_reader *r);

#endif
