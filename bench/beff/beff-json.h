/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_JSON_H
#define IOSPAN_BEFF_BEFF_JSON_H

#include "bench/beff/text.h"

/* The caller frees the document. */
struct out *beff_document(const struct beff *b);
/* Adds the measurements and all that is computed from them. beff_verify() compares these keys. */
void beff_results_json(struct out *doc, const struct beff *b);

#endif
