/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary trace of a command, or of the whole machine for some time, which `iospan record`
 * makes. It is removed even if this process is killed (see user/session/workdir.h). */
#ifndef IOSPAN_LIVE_TRACE_H
#define IOSPAN_LIVE_TRACE_H

#include "bpf/types.h"
#include "user/session/workdir.h"

struct live_trace {
	struct workdir dir;
	char *path; /* path of the trace, or NULL */
};

/* Records the command @argv. If @argv is empty, records the whole machine for @for_ns. @layers
 * is the argument of --layers of `iospan record`. The stdout of the command goes to stderr. A
 * signal such as SIGINT ends the recording; the trace then has all accesses until the signal.
 * Returns 0 or -errno; prints the error. Call live_trace_remove() even after an error. */
int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers);
void live_trace_remove(struct live_trace *r);

#endif
