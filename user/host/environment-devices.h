/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects attributes of disks for the environment that a result records (environment.h). */
#ifndef IOSPAN_HOST_ENVIRONMENT_DEVICES_H
#define IOSPAN_HOST_ENVIRONMENT_DEVICES_H

#include "user/host/environment.h"

/* Returns a JSON array of the @n disks. Each disk is followed by the disks on which it is stacked.
 * No disk is listed twice. */
struct out *environment_devices(const struct host *h, const dev_t *disks, unsigned n);

#endif
