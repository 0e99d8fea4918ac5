/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks, cgroups and processes as arrays of a report's JSON document. A group is a cgroup or
 * process. A "struct made" stands for an array that is too large to store. Its elements are made
 * again each time that the array is printed. */
#ifndef IOSPAN_SHOW_SHOW_ROWS_H
#define IOSPAN_SHOW_SHOW_ROWS_H

#include "user/result/place.h"
#include "user/show/show.h"

/* Returns the array of disks. The caller frees it. */
struct out *show_devices_json(const struct report *r);

/* Adds to @o the readable name of the cgroup @path and the names of its container. @names is from
 * container_names(), or NULL. If @path is NULL, all added members are null. */
void show_cgroup_names(struct out *o, const char *path, const char *names);

/* Adds the array of cgroups or processes to @doc. */
void show_groups_json(struct out *doc, const struct report *r);

/* Returns the "struct made" that describes the array of the disks or groups. If r->top is not 0,
 * the array has at most r->top elements. The other disks or groups are not shown; their sum is
 * added to @doc. */
struct made show_rows_json(struct out *doc, const struct report *r);

#endif
