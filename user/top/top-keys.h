/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TOP_TOP_KEYS_H
#define IOSPAN_TOP_TOP_KEYS_H

#include "user/top/top-view.h"

/* The lines of the help, NULL-terminated. */
extern const char *const top_help[];

/* Changes the view by a key. Returns false if the key ends top. */
bool top_key(struct top_view *v, unsigned key);

#endif
