/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This process's cgroups and their limits, for environment.h. */
#ifndef IOSPAN_HOST_ENVIRONMENT_CGROUPS_H
#define IOSPAN_HOST_ENVIRONMENT_CGROUPS_H

#include "user/host/environment.h"

/* Returns, as JSON, this process's cgroup in each hierarchy, and the limits of these and their
 * parents. */
struct out *environment_cgroups(void);

/* Returns the smallest memory limit, in bytes, of this process's cgroups and their parents;
 * UINT64_MAX: none. */
uint64_t environment_memory_limit(void);

#endif
