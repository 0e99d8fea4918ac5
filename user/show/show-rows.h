/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks, cgroups and processes as arrays of a document. */
#ifndef IOSPAN_SHOW_SHOW_ROWS_H
#define IOSPAN_SHOW_SHOW_ROWS_H

#include "user/result/place.h"
#include "user/show/show.h"

/* Returns the array of disks. The caller frees it. */
struct out *show_devices_json(const struct report *r);

/* Adds the array of cgroups or processes. */
void show_groups_json(struct out *doc, const struct report *r);

#define SHOW_MADE 3
/* Adds the layers, disks and groups of r->keys and r->top. Makes the disks and groups only when a view
 * shows them. Sets @made, which refers to @r. */
void show_rows_json(struct out *doc, const struct report *r, struct made made[SHOW_MADE]);

#endif
