/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flushes a stream of results, so that no write error is lost. */
#ifndef IOSPAN_BASE_OUT_FINISH_H
#define IOSPAN_BASE_OUT_FINISH_H

#include "user/base/out.h"

/* Flushes @f. If this or an earlier write failed, prints an error that names @name, and returns
 * -errno. If stdout is a pipe without a reader, returns -EPIPE without a message; main() then ends
 * iospan by SIGPIPE. */
int out_finish(FILE *f, const char *name);

#endif
