/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What traces say of themselves: how much of them could be read, what was lost when they
 * were made, and what the kernel itself had summed up beside them. */
#ifndef IOSPAN_EVIDENCE_H
#define IOSPAN_EVIDENCE_H

#include "tools/report/by.h"
#include "user/base/out.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/metric/measurement.h"

/* One file. */
struct evidence_file {
	char *path;
	struct trace_state state;
	struct out *meta, *sums; /* NULL: none */
};

struct evidence {
	struct evidence_file *files;
	u32 n;
};

void evidence_add(struct evidence *e, const char *path, const struct trace_reader *r);
void evidence_release(struct evidence *e);

/* How long the observation took, in ns; 0: no file says it. */
u64 evidence_elapsed_ns(const struct evidence *e);
/* How a layer was watched; NULL: nobody knows. */
const char *evidence_backend(const struct evidence *e, const char *layer);

void evidence_text(FILE *f, const struct evidence *e);
void evidence_warn(const struct evidence *e); /* the same to stderr, for CSV */
void evidence_json(struct out *doc, const struct evidence *e);

/* What was summed up beside the accesses, of a single trace that has them all; NULL:
 * nothing. */
const struct out *evidence_sums(const struct evidence *e);

#endif
