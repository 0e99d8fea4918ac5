/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records a command or the machine by `iospan record`; the trace vanishes even if this process is
 * killed (see user/session/workdir.h). */
#ifndef IOSPAN_LIVE_TRACE_H
#define IOSPAN_LIVE_TRACE_H

#include "bpf/types.h"
#include "user/session/workdir.h"

struct live_trace {
	struct workdir dir;
	char *path; /* path of the trace; NULL before it was made */
};

/* Records @argv, or the machine for @for_ns if it is empty. The command's stdout goes to stderr. A
 * signal such as SIGINT ends it, with a complete trace. Returns 0 or -errno; prints the error. Then
 * call live_trace_remove(), even after an error. */
int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers);
void live_trace_remove(struct live_trace *r);

#endif
