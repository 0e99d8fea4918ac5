/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the shared objects of iospan: in the directory of the command, as after a build, or in
 * LIBDIR. LIBDIR is relative to that directory, so an installed tree can be moved. */
#ifndef IOSPAN_LIBRARY_H
#define IOSPAN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

/* Writes the path of library @name to @path. Returns false if no readable file is found. */
bool library_find(const char *name, char path[PATH_MAX]);

#endif
