/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the environment that a result records: the settings of the machine that may affect the
 * result. */
#ifndef IOSPAN_ENVIRONMENT_H
#define IOSPAN_ENVIRONMENT_H

#include <sys/types.h>
#include "user/host/host.h"

struct out;

/* Returns the environment as a JSON object; see Documentation/environment.rst. An unknown value is
 * null. @path is the file or directory that was measured; NULL: none. */
struct out *environment(const struct host *h, const char *path);
/* Returns the environment of a measurement of @n disks. @disks has their device numbers as in
 * stat(2). */
struct out *environment_of_disks(const struct host *h, const dev_t *disks, unsigned n);

/* Sets @key of @object to the number in @text, multiplied by @unit. Sets @key to null if @text is
 * not a number. */
void environment_number(struct out *object, const char *key, const char *text, unsigned unit);

#endif
