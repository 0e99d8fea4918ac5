/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses of one trace, and all files that continue it, in seconds: since the epoch, if
 * the trace says how its clock went, else since whatever it began with. */
#ifndef IOSPAN_TRACED_H
#define IOSPAN_TRACED_H

#include "tools/input/input.h"
#include "user/trace/write.h"

struct traced {
	struct input in;
	double epoch_s;
	u64 elapsed_ns; /* at the end: how long it was recorded; 0: not known */
	bool opens;	/* likewise: opens and closes of files were, too */
};

struct traced_access {
	const struct trace_stream *stream;
	u64 start_ns, end_ns, bytes;
	u8 flags;
};

/* To be closed even after an error, which is -errno, printed. */
int traced_open(struct traced *t, const char *path);
void traced_close(struct traced *t);
double traced_s(const struct traced *t, u64 ns);

/* Calls @fn with all accesses but those of stacked disks, and then @settle (NULL is fine):
 * nothing begins any more before @before_ns. From the begin, as often as wanted. -errno,
 * printed. */
int traced_each(struct traced *t, void (*fn)(void *arg, const struct traced_access *a),
		void (*settle)(void *arg, u64 before_ns), void *arg);

#endif
