/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment that a result records: settings of the machine that may affect it. */
#ifndef IOSPAN_ENVIRONMENT_H
#define IOSPAN_ENVIRONMENT_H

#include <sys/types.h>
#include "user/host/host.h"

struct out;

/* Returns the environment as Documentation/environment.rst describes it; unknown values are null.
 * @path: measured file or directory, or NULL. */
struct out *environment(const struct host *h, const char *path);
/* Returns the environment of @n disks with these numbers, as in stat(2). */
struct out *environment_of_disks(const struct host *h, const dev_t *disks, unsigned n);

/* Sets @key to the number in @text times @unit; null if it is no number. */
void environment_number(struct out *object, const char *key, const char *text, unsigned unit);

#endif
