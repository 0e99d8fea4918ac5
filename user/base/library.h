/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared objects of iospan. They lie next to the command, as in the build directory, or
 * in LIBDIR. LIBDIR is relative to the command, so an installed tree can be moved. */
#ifndef IOSPAN_LIBRARY_H
#define IOSPAN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

/* Writes the path of library @name to @path; false: there is none that can be read. */
bool library_find(const char *name, char path[PATH_MAX]);

#endif
