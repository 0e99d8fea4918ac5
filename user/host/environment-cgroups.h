/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the cgroups of this process and their limits, for the environment that a result records
 * (environment.h). */
#ifndef IOSPAN_HOST_ENVIRONMENT_CGROUPS_H
#define IOSPAN_HOST_ENVIRONMENT_CGROUPS_H

#include "user/host/environment.h"

/* Returns a JSON object with the path of this process's cgroup in each hierarchy, and with all
 * limits of these cgroups and their parents. The caller frees it by out_free(). */
struct out *environment_cgroups(void);

/* Returns the smallest memory limit of this process's cgroups and their parents, in bytes;
 * UINT64_MAX: no limit. */
uint64_t environment_memory_limit(void);

#endif
