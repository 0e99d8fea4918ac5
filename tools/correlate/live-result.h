/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_LIVE_RESULT_H
#define IOSPAN_CORRELATE_LIVE_RESULT_H

#include "tools/correlate/live.h"

/* Adds the runs, and losses, notes and backends, to the document of the study @c. */
void live_json(struct out *doc, const struct live *l, const struct correlation_study *c);
/* Sets the title of the document. */
void live_title(struct out *doc, const struct live *l, const struct correlation_study *c);

#endif
