/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a replay as JSON, with the recorded and the replayed metrics. */
#ifndef IOSPAN_REPLAY_RESULT_H
#define IOSPAN_REPLAY_RESULT_H

#include "bench/load/load-result.h"
#include "bench/replay/replay.h"

/* Returns the document, which the caller frees. */
struct out *replay_document(const struct replay *r, const struct load_result *l);
extern const struct view replay_views[];

#endif
