/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the workload of a job at one layer as JSON. */
#ifndef IOSPAN_WORKLOAD_JSON_H
#define IOSPAN_WORKLOAD_JSON_H

#include "tools/characterize/character.h"
#include "user/result/view.h"

/* Returns the workload of @c. If it is unknown, all members but "reason" are null. */
struct out *workload_model_json(const struct character *c);

/* Returns the workload of @layer, a member of "layers", as rows of the table of criteria. If it is
 * unknown, there are no rows. The caller frees the rows. */
struct out *workload_model_rows(const struct out *layer);

/* views of the member "workload" of a layer */
extern const struct view workload_model_views[];

#endif
