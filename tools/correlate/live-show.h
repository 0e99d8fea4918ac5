/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_LIVE_SHOW_H
#define IOSPAN_CORRELATE_LIVE_SHOW_H

#include "tools/correlate/live.h"

/* Which cgroup it goes with, when @study is there. */
void live_text(FILE *f, const struct live *l);
void live_json(struct out *doc, const struct live *l);
int live_html(FILE *f, const void *live); /* a page; -errno, printed */

#endif
