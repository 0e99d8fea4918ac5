/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that an import makes: accesses, notes and losses. struct import has the state of an
 * import. */
#ifndef IOSPAN_IMPORT_TRACE_H
#define IOSPAN_IMPORT_TRACE_H

#include "tools/import/import.h"

/* Completes the trace. @failed is the result of the import so far: 0 or -errno. If the import
 * failed, or if the trace cannot be completed, removes the trace instead. Returns 0 or -errno;
 * prints the error. */
int import_trace_end(struct import *im, int failed);

void import_trace_release(struct import *im);

/* Adds access @x to the trace. The first call creates the trace. Returns 0 or -errno; prints the
 * error. */
int import_add(struct import *im, const struct access *x);

/* Stores a note in the trace. Reports of the trace print the note. Equal notes are stored once. */
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that @n accesses or events are missing. Stores @n in the trace under the key @name, such
 * as "bad_lines". If @n is not 0, also prints a warning. */
void import_lost(struct import *im, const char *name, u64 n);

#endif
