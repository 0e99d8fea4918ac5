/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_JSON_H
#define IOSPAN_BEFF_BEFF_JSON_H

#include "bench/beff/text.h"

/* Returns the result as a JSON document, which the caller frees. */
struct out *beff_document(const struct beff *b);
/* Adds the measurements to @doc, and everything that iospan computes from them. beff_verify()
 * compares exactly these keys. */
void beff_results_json(struct out *doc, const struct beff *b);

#endif
