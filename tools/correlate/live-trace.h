/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace for one use, made by iospan record: of a command, or of the machine for some time. It is
 * removed when this process ends, in whatever way. */
#ifndef IOSPAN_LIVE_TRACE_H
#define IOSPAN_LIVE_TRACE_H

#include "bpf/types.h"
#include "user/session/workdir.h"

struct live_trace {
	struct workdir dir;
	char *path; /* NULL: there is none */
};

/* Of @argv, or if that is empty, @for_ns of all that runs; the layers are those of `iospan record`.
 * What the command prints goes to the standard error. A request to end ends the recording. -errno,
 * printed; it is to be removed even so. */
int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers);
void live_trace_remove(struct live_trace *r);

#endif
