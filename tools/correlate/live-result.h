/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of `correlate --live`, which runs a command repeatedly, as a part of the JSON
 * document. */
#ifndef IOSPAN_CORRELATE_LIVE_RESULT_H
#define IOSPAN_CORRELATE_LIVE_RESULT_H

#include "tools/correlate/live.h"

/* Adds the results of --live to @doc: the runs, lost events, notes, and how iospan measured
 * (evidence). */
void live_json(struct out *doc, const struct live *l, const struct correlation_study *c);
/* Sets the title: how many runs of which command were correlated with how many columns. */
void live_title(struct out *doc, const struct live *l, const struct correlation_study *c);

#endif
