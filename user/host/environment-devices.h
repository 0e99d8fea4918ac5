/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of disks, for the environment of a result. */
#ifndef IOSPAN_HOST_ENVIRONMENT_DEVICES_H
#define IOSPAN_HOST_ENVIRONMENT_DEVICES_H

#include "user/host/environment.h"

/* Returns an array of the @n disks, each followed by the disks below it. No disk occurs twice. */
struct out *environment_devices(const struct host *h, const dev_t *disks, unsigned n);

#endif
