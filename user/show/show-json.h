/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_SHOW_JSON_H
#define IOSPAN_SHOW_SHOW_JSON_H

#include "user/result/view.h"
#include "user/show/show.h"

void show_json(FILE *f, const struct report *r);

/* The document of show_json(), not sealed; the caller frees it. */
struct out *show_document(const struct report *r);

/* Add the numbers, or losses, notes and backends, to @doc. */
void show_numbers_json(struct out *doc, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);
extern const struct view show_evidence_views[];

/* Members of the document; the caller frees them. A layer without numbers is NULL. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_devices_json(const struct report *r);
struct out *show_backends_json(const struct report *r);

#endif
