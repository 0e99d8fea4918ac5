/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data about the recordings, from the trace files: losses, notes, totals that the BPF programs
 * counted (sums), and how much of each file was read. */
#ifndef IOSPAN_EVIDENCE_H
#define IOSPAN_EVIDENCE_H

#include "tools/report/by.h"
#include "user/base/out.h"
#include "user/result/view.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/metric/measurement.h"

struct evidence_file {
	char *path;
	struct trace_state state;
	struct out *meta, *sums; /* metadata and sums in the file; NULL: the file has none */
};

struct evidence {
	struct evidence_file *files;
	u32 n;
};

/* Adds a file that was read. Copies @path and keeps a reference to the metadata and sums of @r. */
void evidence_add(struct evidence *e, const char *path, const struct trace_reader *r);
void evidence_release(struct evidence *e);

/* Returns the length of the longest recording in ns, or 0 if it is unknown. */
u64 evidence_elapsed_ns(const struct evidence *e);
/* Returns the method by which @layer was recorded, such as "fentry". Returns "trace" if the method
 * is unknown, and NULL if the layer was not recorded. */
const char *evidence_backend(const struct evidence *e, const char *layer);

/* Returns false if the recorders of all traces stored no cgroups (record without --by cgroup). */
bool evidence_has_groups(const struct evidence *e);
/* Adds a note to @doc for each trace without cgroups. */
void evidence_note_groups(struct out *doc, const struct evidence *e);

/* Returns the number of losses that may remove accesses of @layer: the losses of this layer, the
 * losses that may be of any layer, and the damaged chunks of the files. If @layer is LAYERS, leaves
 * out the losses of single layers. Ignores filters: the losses are those of the whole traces. */
u64 evidence_losses(const struct evidence *e, enum layer layer);

void evidence_json(struct out *doc, const struct evidence *e);
/* views that print the losses, the notes, and the limits (notes that apply to all recordings on a
 * machine) */
extern const struct view evidence_views[];

/* Returns the sums that the BPF programs counted during the recording. Ignores the files that were
 * recorded with a filter. If none or several of the remaining files have sums, returns NULL. The
 * result belongs to @e. */
const struct out *evidence_sums(const struct evidence *e);

/* Adds the list "recordings" to @doc: for each trace the command, start, duration, exit status,
 * host and kernel, and a sentence with all of these. The files of a trace are one recording. */
void recordings_json(struct out *doc, const struct evidence *e);

/* Compares @sums, the sums of the BPF programs, with @m for each layer and disk. If @by, the table
 * of cgroups, is not NULL, also compares each cgroup. Returns the result as an object, which the
 * caller frees. */
struct out *kernel_json(const struct out *sums, const struct measurement *m, const struct by *by);

/* Sets @missing[i] to the fraction of T of layer i that the trace lacks. Example: 0.25 if T of the
 * BPF programs is 4 s, and T of the accesses in the trace is 3 s. 0: nothing is missing, or the
 * fraction is unknown. */
void kernel_missing(const struct out *sums, const struct measurement *m, double missing[LAYERS]);

#endif
