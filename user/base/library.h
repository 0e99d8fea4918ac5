/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds shared objects such as libiospan.so: beside the command, or in LIBDIR, which is relative to
 * the command, so an installed tree can be moved. */
#ifndef IOSPAN_LIBRARY_H
#define IOSPAN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

/* Stores the path of library file @name in @path. Returns false if none is readable. */
bool library_find(const char *name, char path[PATH_MAX]);

#endif
