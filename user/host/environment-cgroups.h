/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_HOST_ENVIRONMENT_CGROUPS_H
#define IOSPAN_HOST_ENVIRONMENT_CGROUPS_H

#include "user/host/environment.h"

/* Our cgroups, and each limit of theirs or of a group above them; of this host. */
struct out *environment_cgroups(void);

/* The least limit of memory of our cgroups and those above them; all bits set: none. */
uint64_t environment_memory_limit(void);

#endif
