/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups of this process and their limits, for the environment of a result. */
#ifndef IOSPAN_HOST_ENVIRONMENT_CGROUPS_H
#define IOSPAN_HOST_ENVIRONMENT_CGROUPS_H

#include "user/host/environment.h"

/* Returns the path of the process's cgroup in each hierarchy, and every limit of these cgroups and
 * of their parents. */
struct out *environment_cgroups(void);

/* Returns the least memory limit of these cgroups and their parents; UINT64_MAX: none. */
uint64_t environment_memory_limit(void);

#endif
