/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_SIGNATURE_H
#define IOSPAN_GUARD_SIGNATURE_H

#include "bench/guard/guard.h"

/* A device to be written is open as g->fd: refuse it, or 0. */
int guard_check_signature(const char *path, int fd, const char *allowed, bool has_partitions);

#endif
