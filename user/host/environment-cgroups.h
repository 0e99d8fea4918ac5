/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the cgroups of this process and their limits, for environment.h. */
#ifndef IOSPAN_HOST_ENVIRONMENT_CGROUPS_H
#define IOSPAN_HOST_ENVIRONMENT_CGROUPS_H

#include "user/host/environment.h"

/* Returns, as JSON, this process's cgroup per hierarchy, and limits of these and their parents. */
struct out *environment_cgroups(void);

/* Returns the smallest memory limit of this process's cgroups and parents; UINT64_MAX: none. */
uint64_t environment_memory_limit(void);

#endif
