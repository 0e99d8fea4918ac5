/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that an import makes: for import.c alone. */
#ifndef IOSPAN_IMPORT_TRACE_H
#define IOSPAN_IMPORT_TRACE_H

#include "tools/import/import.h"

/* The end of the trace, or, if @failed, of its file. @failed, or what failed here. */
int import_trace_end(struct import *im, int failed);

void import_trace_release(struct import *im);

/* One access, whole. -errno: give up. */
int import_add(struct import *im, const struct access *x);

/* What the reader of a report must know; once, however often it is said. */
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What is not in the trace, at the end: @name for programs, @text for people. */
void import_lost(struct import *im, const char *name, u64 n, const char *text);

#endif
