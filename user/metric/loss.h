/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The losses: events that were not measured, or measured only in part. They were lost by iospan or,
 * in an imported trace, by the program that recorded it. All commands print the sentences of
 * loss_text(). */
#ifndef IOSPAN_METRIC_LOSS_H
#define IOSPAN_METRIC_LOSS_H

#include <stdbool.h>
#include "bpf/event.h"

struct out;

struct loss {
	const char *name; /* name in JSON */
	u64 n;
};

/* Returns the sentence of a loss, such as "1 device completion never seen". The caller frees it. */
char *loss_text(const char *name, u64 n);

/* Returns the layer of a loss, or LAYERS if the loss may be of several layers. */
enum layer loss_layer(const char *name);

/* Returns the number of accesses of the device layer in @doc, a document of iospan. Returns 0 if
 * @doc has no such number. */
u64 loss_device_accesses(const struct out *doc);

/* Returns true if the numbers of the device layer may be used in spite of @n losses @name. This is
 * so for "completions" (lost completions) if @n is less than 1 % of @accesses, the accesses of this
 * layer. It is not so for any other loss. */
bool loss_is_small(const char *name, u64 n, u64 accesses);

/* Returns true if a trace with loss @name lacks accesses. Returns false if the accesses are in the
 * trace, but for instance without a latency or without the name of a file. Also returns false for
 * missed_runs, because the consequences are counted as other losses. */
bool loss_removes_accesses(const char *name);

/* Returns true if the loss @name affects only a trace: accesses or names are missing in it. */
bool loss_is_of_recordings(const char *name);

#endif
