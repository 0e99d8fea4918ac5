/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the shared objects of iospan, such as libiospan.so: in the directory of the command, or in
 * LIBDIR. LIBDIR is relative to the command's directory, so an installed tree can be moved. */
#ifndef IOSPAN_LIBRARY_H
#define IOSPAN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

/* Looks for the library file @name and stores its path in @path. Returns false if no such file is
 * readable. */
bool library_find(const char *name, char path[PATH_MAX]);

#endif
