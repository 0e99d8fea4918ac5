/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_TRAITS_SHOW_H
#define IOSPAN_MODEL_TRAITS_SHOW_H

#include "bench/model/traits.h"

/* Calls @take once for each conclusion. @sentence: an English sentence without a full stop. */
void traits_tell(const struct traits *t, void (*take)(void *arg, const char *sentence), void *arg);
struct out *traits_json(const struct traits *t);

#endif
