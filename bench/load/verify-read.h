/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_LOAD_VERIFY_READ_H
#define IOSPAN_LOAD_VERIFY_READ_H

#include "bench/load/verify.h"

/* After the load, reads and checks all data, with direct I/O if possible. A signal stops it and
 * sets v->cut; does nothing if v->cut is set. Returns 0 or -errno; prints the error. */
int verify_read_back(struct verify *v, char *const *names, const int *fds);

#endif
