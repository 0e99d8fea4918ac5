/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_JSON_H
#define IOSPAN_SETS_SETS_JSON_H

#include "bench/sets/sets.h"

struct out *sets_document(const struct sets *s); /* the caller frees the document */

#endif
