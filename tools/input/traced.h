/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the accesses of one trace. traced_s() converts a time of the trace to seconds. The seconds
 * count from 1970 if the trace states the real time, otherwise from time 0 of the trace. */
#ifndef IOSPAN_TRACED_H
#define IOSPAN_TRACED_H

#include "tools/input/input.h"
#include "user/trace/write.h"

struct traced {
	struct input in;
	double epoch_s;
	/* traced_each() sets the fields below before it returns. */
	u64 elapsed_ns; /* length of the recording in ns, as the trace states it; 0 if unknown */
	bool opens;	/* true if the recording includes opens and closes */
	const char *path;
	/* .incomplete: true if accesses are missing: the recording lost some, or a file is damaged,
	 * or the first file of the trace is missing. .followed: true if the trace continues after
	 * the last file that was read. */
	bool incomplete, followed;
	u32 next_file;
};

struct traced_access {
	const struct trace_stream *stream;
	u64 start_ns, end_ns, bytes;
	u8 flags;
};

/* Opens the trace @path. Returns 0 or -errno; prints the error. The caller calls traced_close()
 * even after an error. */
int traced_open(struct traced *t, const char *path);
void traced_close(struct traced *t);

/* Returns the wall clock minus the clock of the trace in ns. Returns 0 if the trace does not state
 * it. Call this right after input_open(). */
s64 traced_epoch_ns(const struct input *in);
double traced_s(const struct traced *t, u64 ns);

/* Returns true if @doc, a document of iospan, states losses. Ignores lost completions if they are
 * few (loss_is_small()). */
bool traced_any_loss(const struct out *doc);

/* Calls @fn for each access of the trace, except for accesses of stacked disks. After each batch,
 * calls @settle with a time @before_ns: all further accesses start at this time or later. @settle
 * may be NULL. Returns 0 or -errno; prints the error. The first call warns if the trace is
 * incomplete. */
int traced_each(struct traced *t, void (*fn)(void *arg, const struct traced_access *a),
		void (*settle)(void *arg, u64 before_ns), void *arg);

#endif
