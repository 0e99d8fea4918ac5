/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area, and the start of the library in a program. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/system.h"

/* NULL while inert. */
extern struct app_area *area;

/* Maps the area once, at the first call or in the constructor. True if this call mapped it. */
bool area_start(void);
/* Value of an environment variable; NULL: missing. */
char *env_find(const char *name);

#endif
