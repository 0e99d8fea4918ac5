/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_SHOW_JSON_H
#define IOSPAN_SHOW_SHOW_JSON_H

#include "user/result/view.h"
#include "user/show/show.h"

void show_json(FILE *f, const struct report *r);

/* Returns the JSON document that show_json() prints, without its hash (seal.h). The caller frees
 * it. */
struct out *show_document(const struct report *r);

/* Add members to the JSON object @doc: the first function the numbers; the second one losses,
 * notes, limits and backends. */
void show_numbers_json(struct out *doc, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);
extern const struct view show_evidence_views[];

/* Return a member of the JSON document, which the caller frees. The result for a layer without
 * numbers is NULL. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_devices_json(const struct report *r);
struct out *show_backends_json(const struct report *r);

#endif
