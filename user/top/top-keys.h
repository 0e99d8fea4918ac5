/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of iospan top. */
#ifndef IOSPAN_TOP_TOP_KEYS_H
#define IOSPAN_TOP_TOP_KEYS_H

#include "user/top/top-view.h"

/* The lines of the help page; the last element is NULL. */
extern const char *const top_help[];

/* Changes @v as the pressed key requires. Returns false if the key ends iospan top. */
bool top_key(struct top_view *v, unsigned key);

#endif
