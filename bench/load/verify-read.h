/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_LOAD_VERIFY_READ_H
#define IOSPAN_LOAD_VERIFY_READ_H

#include "bench/load/verify.h"

/* After the load: reads all data of the targets, not from the page cache if that can be had,
 * until a signal comes, or none if v->cut is set. -errno, printed. */
int verify_read_back(struct verify *v, char *const *names, const int *fds);

#endif
