/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a recorded access's stream: its layer, operation, disk, process, file and the like. */
#ifndef IOSPAN_RECORDER_STREAMS_H
#define IOSPAN_RECORDER_STREAMS_H

#include "user/kernel/recorder-names.h"
#include "user/trace/filter.h"

struct recorder_streams;

/* Makes a table of streams, to be freed with free(3). @names and @filter must outlive it. Ends the
 * program if there is no memory. */
struct recorder_streams *recorder_streams_new(struct recorder_names *names,
					      const struct trace_filter *filter);

/* Returns the number of the stream of @a at @layer; STREAM_UNWANTED: @filter excludes it. */
#define STREAM_UNWANTED (~0U)
u32 recorder_stream(struct recorder_streams *t, const struct recorded *a, u32 layer);

#endif
