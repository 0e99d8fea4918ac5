/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The losses: events that iospan, or the program that recorded an imported trace, did not measure
 * or measured only in part. All commands print the sentences of loss_text(). */
#ifndef IOSPAN_METRIC_LOSS_H
#define IOSPAN_METRIC_LOSS_H

#include "bpf/types.h"

struct loss {
	const char *name; /* name in JSON */
	u64 n;
};

/* Returns the sentence of a loss, such as "1 device completion never seen". The caller frees it. */
char *loss_text(const char *name, u64 n);

/* Returns the name of the layer of a loss, or NULL if the loss may be of several layers. */
const char *loss_layer(const char *name);

#endif
