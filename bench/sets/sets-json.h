/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_JSON_H
#define IOSPAN_SETS_SETS_JSON_H

#include "bench/sets/sets.h"

/* Returns the result as a JSON document, which the caller frees. */
struct out *sets_document(const struct sets *s);

#endif
