/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accesses of one trace, with times in seconds. They count from the epoch if the trace has its
 * clock's real time, else from the zero of that clock. */
#ifndef IOSPAN_TRACED_H
#define IOSPAN_TRACED_H

#include "tools/input/input.h"
#include "user/trace/write.h"

struct traced {
	struct input in;
	double epoch_s;
	/* set at the end of traced_each() */
	u64 elapsed_ns; /* length of the recording; 0: unknown */
	bool opens;	/* the recording includes opens and closes */
};

struct traced_access {
	const struct trace_stream *stream;
	u64 start_ns, end_ns, bytes;
	u8 flags;
};

/* Returns 0 or -errno; prints the error. Call traced_close() in either case. */
int traced_open(struct traced *t, const char *path);
void traced_close(struct traced *t);
/* Converts a time of the trace to seconds. */
double traced_s(const struct traced *t, u64 ns);

/* Calls @fn for each access, except those of stacked disks. After each batch calls @settle, which
 * may be NULL: no later access starts before @before_ns. Each call reads the trace from its start.
 * Returns 0 or -errno; prints the error. */
int traced_each(struct traced *t, void (*fn)(void *arg, const struct traced_access *a),
		void (*settle)(void *arg, u64 before_ns), void *arg);

#endif
