/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a result: all settings of the machine that may change it. */
#ifndef IOSPAN_ENVIRONMENT_H
#define IOSPAN_ENVIRONMENT_H

#include <sys/types.h>
#include "user/host/host.h"

struct out;

/* Returns a JSON object; Documentation/environment.rst names its keys. Values that are not known
 * are null. @path is the file or directory that was measured; NULL: none. */
struct out *environment(const struct host *h, const char *path);
/* Does the same for measurements of @n disks, given as numbers of stat(2). */
struct out *environment_of_disks(const struct host *h, const dev_t *disks, unsigned n);

/* Sets @key to the number in @text, multiplied by @unit; null if it is none. */
void environment_number(struct out *object, const char *key, const char *text, unsigned unit);

#endif
