/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_TRAITS_SHOW_H
#define IOSPAN_MODEL_TRAITS_SHOW_H

#include "bench/model/traits.h"

/* Conclusions from the curves of @r as JSON; "sentences": in English, without full stops. The
 * caller frees it. */
struct out *traits_json(const struct region *r);

#endif
