/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area is memory in which libiospan counts calls. iospan reads the counters there. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/system.h"

/* NULL until the app area is mapped; until then, libiospan forwards all calls and counts nothing */
extern struct app_area *area;

/* Maps the app area once per program. Returns true if this call mapped it. */
bool area_start(void);
/* Returns the value of environment variable @name, or NULL. */
char *env_find(const char *name);

#endif
