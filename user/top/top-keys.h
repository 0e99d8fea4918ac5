/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TOP_TOP_KEYS_H
#define IOSPAN_TOP_TOP_KEYS_H

#include "user/top/view.h"

/* False: it was the one that ends it. */
bool top_key(struct top_view *v, unsigned key);

#endif
