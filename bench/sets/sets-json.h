/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_JSON_H
#define IOSPAN_SETS_SETS_JSON_H

#include "bench/sets/sets.h"
#include "user/result/view.h"

struct out *sets_document(const struct sets *s);
extern const struct view sets_views[];

#endif
