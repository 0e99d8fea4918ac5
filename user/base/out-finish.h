/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a stream of results, so that no write error is lost. */
#ifndef IOSPAN_BASE_OUT_FINISH_H
#define IOSPAN_BASE_OUT_FINISH_H

#include "user/base/out.h"

/* Flushes @f. Returns -errno if this or an earlier write failed, as on a full disk, and prints the
 * error with @name. -EPIPE of stdout is not printed: main() then ends the program by SIGPIPE. */
int out_finish(FILE *f, const char *name);

#endif
