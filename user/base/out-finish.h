/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OUT_FINISH_H
#define IOSPAN_BASE_OUT_FINISH_H

#include "user/base/out.h"

/* Flushes @f; a full disk or a closed pipe is -errno, printed, naming @name. -EPIPE of stdout is not
 * printed: main() ends the program as the signal would. */
int out_finish(FILE *f, const char *name);

#endif
