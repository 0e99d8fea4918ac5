/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area: memory that the program shares with iospan, and into which libiospan counts. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/system.h"

/* NULL while libiospan is inert: it forwards all calls and counts nothing. */
extern struct app_area *area;

/* Maps the app area. The first interposed call or libiospan's constructor does this, once per
 * program. Returns true if this call mapped the area. */
bool area_start(void);
/* Returns the value of environment variable @name, or NULL if there is no such variable. */
char *env_find(const char *name);

#endif
