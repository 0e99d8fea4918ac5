/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary trace of a command, or of the machine for some time, made by `iospan record`. It is
 * removed even if this process is killed (see user/session/workdir.h). */
#ifndef IOSPAN_LIVE_TRACE_H
#define IOSPAN_LIVE_TRACE_H

#include "bpf/types.h"
#include "user/session/workdir.h"

struct live_trace {
	struct workdir dir;
	char *path; /* NULL: none */
};

/* Records @argv or, if @argv is empty, the machine for @for_ns. @layers is as for `iospan record`.
 * The command's stdout goes to stderr. A signal such as SIGINT ends the recording; the trace has
 * all accesses until then. Returns 0 or -errno; prints the error. @r is to be removed even then. */
int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers);
void live_trace_remove(struct live_trace *r);

#endif
