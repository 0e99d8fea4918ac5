/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared objects of ours: beside the command, or where it was installed. */
#ifndef IOSPAN_LIBRARY_H
#define IOSPAN_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

/* Where the one of that name is; false: nowhere that we may read. */
bool library_find(const char *name, char path[PATH_MAX]);

#endif
