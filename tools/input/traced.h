/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the accesses of one trace, with times in seconds. The times count from the Unix epoch if
 * the trace states the real time of its clock; otherwise they count from the zero of that clock. */
#ifndef IOSPAN_TRACED_H
#define IOSPAN_TRACED_H

#include "tools/input/input.h"
#include "user/trace/write.h"

struct traced {
	struct input in;
	double epoch_s;
	/* traced_each() sets these before it returns. */
	u64 elapsed_ns; /* length of the recording; 0 if unknown */
	bool opens;	/* true if the recording includes opens and closes */
};

struct traced_access {
	const struct trace_stream *stream;
	u64 start_ns, end_ns, bytes;
	u8 flags;
};

/* Opens the trace @path. Returns 0 or -errno; prints the error. Call traced_close() in either
 * case. */
int traced_open(struct traced *t, const char *path);
void traced_close(struct traced *t);
/* Converts a time of the trace to seconds. */
double traced_s(const struct traced *t, u64 ns);

/* Calls @fn for each access, except those of stacked disks. After each batch, calls @settle if
 * it is not NULL: no access of a later batch starts before @before_ns. Each traced_each() reads
 * the trace from its start. Returns 0 or -errno; prints the error. */
int traced_each(struct traced *t, void (*fn)(void *arg, const struct traced_access *a),
		void (*settle)(void *arg, u64 before_ns), void *arg);

#endif
