/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flushes a stream of results, so that no write error is lost. */
#ifndef IOSPAN_BASE_OUT_FINISH_H
#define IOSPAN_BASE_OUT_FINISH_H

#include "user/base/out.h"

/* Flushes @f. After a failed write, returns -errno with an error that names @name; -EPIPE without a
 * message if stdout is a pipe without a reader: main() then ends iospan by SIGPIPE. */
int out_finish(FILE *f, const char *name);

#endif
