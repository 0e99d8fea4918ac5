/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_TRAITS_SHOW_H
#define IOSPAN_MODEL_TRAITS_SHOW_H

#include "bench/model/traits.h"

/* Returns conclusions from the curves of @r as JSON, also as English "sentences". The caller frees
 * it. */
struct out *traits_json(const struct region *r);

#endif
