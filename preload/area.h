/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area: memory that the program shares with iospan. libiospan counts the program's calls
 * there. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/system.h"

/* NULL until libiospan has mapped it: until then, libiospan forwards all calls and counts
 * nothing */
extern struct app_area *area;

/* Maps the app area, once per program: at the first interposed call, or in libiospan's constructor.
 * Returns true if this call mapped it. */
bool area_start(void);
/* Returns the value of environment variable @name, or NULL if there is no such variable. */
char *env_find(const char *name);

#endif
