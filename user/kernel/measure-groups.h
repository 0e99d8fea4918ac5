/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_KERNEL_MEASURE_GROUPS_H
#define IOSPAN_KERNEL_MEASURE_GROUPS_H

#include "user/kernel/maps.h"
#include "user/kernel/tracer.h"

/* The path of a group, as of the command's own: "/", "/a", "/a/b"; of a process its name and
 * number, "fio[1234]". The caller frees it. */
char *maps_group_path(const struct maps *m, u32 group);

/* The groups, after maps_sample(). */
void maps_measure_groups(struct maps *m, bool cut, struct measurement *to);

/* Before @group gives its number back. */
void maps_forget_group(struct maps *m, u32 group);

#endif
