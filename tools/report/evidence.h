/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Losses of the recorder, notes and the kernel's sums, as the files of the traces state them; and
 * how much of each file could be read. */
#ifndef IOSPAN_EVIDENCE_H
#define IOSPAN_EVIDENCE_H

#include "tools/report/by.h"
#include "user/base/out.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/metric/measurement.h"

struct evidence_file {
	char *path;
	struct trace_state state;
	struct out *meta, *sums; /* NULL: none */
};

struct evidence {
	struct evidence_file *files;
	u32 n;
};

/* Adds a file that was read. Copies @path and keeps the objects of @r. */
void evidence_add(struct evidence *e, const char *path, const struct trace_reader *r);
void evidence_release(struct evidence *e);

/* Returns the longest recording in ns; 0: unknown. */
u64 evidence_elapsed_ns(const struct evidence *e);
/* Returns how a layer was recorded, "trace" if that is unknown, or NULL if it was not recorded. */
const char *evidence_backend(const struct evidence *e, const char *layer);

void evidence_text(FILE *f, const struct evidence *e);
void evidence_warn(const struct evidence *e); /* to stderr, for CSV */
void evidence_json(struct out *doc, const struct evidence *e);

/* Returns the kernel's sums if exactly one file has them, for all accesses; else NULL. */
const struct out *evidence_sums(const struct evidence *e);

#endif
