/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_SHOW_JSON_H
#define IOSPAN_SHOW_SHOW_JSON_H

#include "user/show/show.h"

void show_numbers_json(struct out *doc, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);
struct out *show_backends_json(const struct report *r);

/* A layer, or NULL; and the list of disks. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_devices_json(const struct report *r);

void show_json(FILE *f, const struct report *r);
/* The JSON document itself, not sealed yet; the caller's. */
struct out *show_document(const struct report *r);

#endif
