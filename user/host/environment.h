/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Under what a result came about: all that is known to change it. */
#ifndef IOSPAN_ENVIRONMENT_H
#define IOSPAN_ENVIRONMENT_H

#include <sys/types.h>
#include "user/host/host.h"

struct out;

/* One JSON object; @path is what was worked on, NULL: nothing of that kind. What the
 * host does not say is null. Documentation/environment.rst names the fields. */
struct out *environment(const struct host *h, const char *path);
/* The same of what was done on @n disks, by the numbers that stat() gives. */
struct out *environment_of_disks(const struct host *h, const dev_t *disks, unsigned n);

/* Sets @key to the number in a line of text; null when it is none. */
void environment_number(struct out *object, const char *key, const char *text);

#endif
