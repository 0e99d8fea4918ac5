/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that an import makes: for import.c alone. */
#ifndef IOSPAN_IMPORT_TRACE_H
#define IOSPAN_IMPORT_TRACE_H

#include "tools/import/import.h"

/* The end of the trace, or, if @failed, of its file. @failed, or what failed here. */
int import_trace_end(struct import *im, int failed);

void import_trace_release(struct import *im);

#endif
