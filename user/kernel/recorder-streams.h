/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the stream of a recorded access. A stream (struct trace_stream) is a set of attributes that
 * many accesses share: layer, operation, disk, process, file and the like. */
#ifndef IOSPAN_RECORDER_STREAMS_H
#define IOSPAN_RECORDER_STREAMS_H

#include "user/kernel/recorder-names.h"
#include "user/trace/filter.h"

struct recorder_streams;

/* Makes the table of streams of a recording. The caller frees it by free(3). @names and @filter
 * must stay valid as long as the table. Ends the program if memory is short. */
struct recorder_streams *recorder_streams_new(struct recorder_names *names,
					      const struct trace_filter *filter);

/* Finds the stream of access @a, an access of layer @layer. Returns the number of the stream in the
 * trace, or STREAM_UNWANTED if the filter excludes the access. */
#define STREAM_UNWANTED (~0U)
u32 recorder_stream(struct recorder_streams *t, const struct recorded *a, u32 layer);

#endif
