/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_LIVE_SHOW_H
#define IOSPAN_CORRELATE_LIVE_SHOW_H

#include "tools/correlate/live.h"

/* live_text(), live_json() and live_html() print the results of a struct live. Its fields study
 * and joint must be set. */
void live_text(FILE *f, const struct live *l);
void live_json(struct out *doc, const struct live *l);
/* Writes an HTML page. Returns 0 or -errno; prints the error. */
int live_html(FILE *f, const void *live);

#endif
