/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_HOST_ENVIRONMENT_DEVICES_H
#define IOSPAN_HOST_ENVIRONMENT_DEVICES_H

#include "user/host/environment.h"

/* These disks, each followed by those below it, each once. */
struct out *environment_devices(const struct host *h, const dev_t *disks, unsigned n);

#endif
