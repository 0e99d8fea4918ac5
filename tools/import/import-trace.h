/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the trace of an import. */
#ifndef IOSPAN_IMPORT_TRACE_H
#define IOSPAN_IMPORT_TRACE_H

#include "tools/import/import.h"

/* Completes the trace. If @failed is not 0 or an error occurs here, removes the trace. Returns
 * @failed, 0 or -errno; prints the error. */
int import_trace_end(struct import *im, int failed);

void import_trace_release(struct import *im);

/* Adds the access @x to the trace. Returns 0 or -errno; prints the error. */
int import_add(struct import *im, const struct access *x);

/* Adds a note to the trace; reports of the trace print it. Equal notes are added once. */
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that @n accesses or events are missing. Writes @n as @name to the trace. If @n is not
 * 0, also prints a warning that ends with @text. */
void import_lost(struct import *im, const char *name, u64 n, const char *text);

#endif
