/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_SHOW_JSON_H
#define IOSPAN_SHOW_SHOW_JSON_H

#include "user/result/view.h"
#include "user/show/show.h"

struct out *show_document(const struct report *r);

/* Views that print this document, and the document of iospan report, which has more tables. */
extern const struct view show_views[];

/* Columns of tables. show_layers is for "layers.*"; both are for "layers.*.operations.*" and
 * "devices.*.operations.*". */
extern const struct view_column show_layers[], show_latencies[];
extern const struct view_column show_operations[], show_disk_operations[];

/* Add members to @doc: show_summary_json() adds sentences about the layers; show_numbers_json()
 * numbers; show_evidence_json() losses, notes, limits and backends. */
void show_summary_json(struct out *doc, const struct report *r);
void show_numbers_json(struct out *doc, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);
void show_losses_json(struct out *doc, const struct loss *losses);
extern const struct view show_evidence_views[];

/* Return a member of the document, which the caller frees; NULL: the layer has no numbers. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_devices_json(const struct report *r);
struct out *show_backends_json(const struct report *r);

#endif
