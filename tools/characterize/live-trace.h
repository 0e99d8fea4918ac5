/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records a command, or the whole machine for some time, into a temporary trace by `iospan record`.
 * The trace is removed even if this process is killed (user/session/workdir.h). */
#ifndef IOSPAN_LIVE_TRACE_H
#define IOSPAN_LIVE_TRACE_H

#include "bpf/types.h"
#include "user/session/workdir.h"

struct live_trace {
	struct workdir dir;
	char *path; /* path of the trace; NULL: the trace is not made yet */
};

/* Records the command @argv into a trace. If @argv is empty, records the whole machine for @for_ns.
 * @layers is the value of --layers of `iospan record`. A signal such as SIGINT ends the recording;
 * the trace then has the accesses until the signal. Returns 0 or -errno; prints the error. The
 * caller calls live_trace_remove() even after an error. */
int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers);
void live_trace_remove(struct live_trace *r);

#endif
