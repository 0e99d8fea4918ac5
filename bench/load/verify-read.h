/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The final check of --verify: after the load, iospan reads all data back. --verify checks that
 * reads return the data that were written. */
#ifndef IOSPAN_LOAD_VERIFY_READ_H
#define IOSPAN_LOAD_VERIFY_READ_H

#include "bench/load/verify.h"

/* Reads all data of the targets after the load, and checks them. Reads nothing if a signal ended
 * the load (@stopped), because the user does not want to wait. If a signal interrupts the reading,
 * or an error occurs, sets v->cut. If data differ or cannot be checked, prints an error message and
 * returns -errno. */
int verify_finish(struct verify *v, bool stopped, char *const *names, const int *fds);

#endif
