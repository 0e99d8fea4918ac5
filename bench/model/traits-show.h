/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the conclusions from the curves of a region (traits). A region is a range of the amount of
 * data. A curve is the bandwidth over one parameter of the workload. */
#ifndef IOSPAN_MODEL_TRAITS_SHOW_H
#define IOSPAN_MODEL_TRAITS_SHOW_H

#include "bench/model/traits.h"

/* Returns the conclusions from the curves of region @r as JSON, such as how much faster larger
 * requests are. The key "sentences" has the same conclusions in English. The caller frees the
 * result. */
struct out *traits_json(const struct region *r);

#endif
