/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The final check of --verify: after the load, iospan reads all data back. --verify checks that
 * reads return the data that were written. */
#ifndef IOSPAN_LOAD_VERIFY_READ_H
#define IOSPAN_LOAD_VERIFY_READ_H

#include "bench/load/verify.h"

/* Reads all data of the targets after the load, and checks them. If a signal interrupts the
 * reading, sets v->cut. Returns 0 or -errno; prints the error. */
int verify_read_back(struct verify *v, char *const *names, const int *fds);

#endif
