/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the stream of each recorded access. A stream (struct trace_stream) is what many accesses of
 * a trace share, such as layer, operation, disk, process and file. */
#ifndef IOSPAN_RECORDER_STREAMS_H
#define IOSPAN_RECORDER_STREAMS_H

#include "user/kernel/recorder-names.h"
#include "user/trace/filter.h"

struct recorder_streams;

/* Makes the table of streams of a recording. The caller frees it with free(3). @names and @filter
 * must outlive it. If there is no memory, the function ends the program. */
struct recorder_streams *recorder_streams_new(struct recorder_names *names,
					      const struct trace_filter *filter);

/* recorder_stream() returns the number that the trace gives to the stream of access @a at @layer.
 * It returns STREAM_UNWANTED if @a does not pass the filter. */
#define STREAM_UNWANTED (~0U)
u32 recorder_stream(struct recorder_streams *t, const struct recorded *a, u32 layer);

#endif
