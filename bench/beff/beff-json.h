/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_JSON_H
#define IOSPAN_BEFF_BEFF_JSON_H

#include "bench/beff/text.h"

/* The caller frees it. */
struct out *beff_document(const struct beff *b);
/* Its part that follows from what was measured, and that with it. */
void beff_results_json(struct out *doc, const struct beff *b);

#endif
