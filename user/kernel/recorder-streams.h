/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The streams of a recording: finds the stream (struct trace_stream) of each access. */
#ifndef IOSPAN_RECORDER_STREAMS_H
#define IOSPAN_RECORDER_STREAMS_H

#include "user/kernel/recorder-names.h"
#include "user/trace/filter.h"

struct recorder_streams;

/* For free(3). @names and @filter must outlive it. Out of memory ends the program. */
struct recorder_streams *recorder_streams_new(struct recorder_names *names,
					      const struct trace_filter *filter);

/* The number of the stream of @a at @layer in the trace; STREAM_UNWANTED: @a does not pass the
 * filter. */
#define STREAM_UNWANTED (~0U)
u32 recorder_stream(struct recorder_streams *t, const struct recorded *a, u32 layer);

#endif
