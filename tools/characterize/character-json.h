/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts struct character, the criteria and the workload of a job at one layer, to JSON. The
 * caller owns the returned objects. */
#ifndef IOSPAN_CHARACTERIZE_CHARACTER_JSON_H
#define IOSPAN_CHARACTERIZE_CHARACTER_JSON_H

#include "tools/characterize/character.h"
#include "user/base/out.h"
#include "user/result/view.h"

/* Returns the title of the criterion @what, such as "burstiness rho, c = 128k". @threshold is an
 * index of c->thresholds. The caller frees the title. */
char *criterion_title(const struct character *c, const struct criterion *what, u32 threshold);

/* Returns a JSON object for the criterion @what: its number in El Sayed and others 2016, its key,
 * its title and its threshold. The caller adds the values. */
struct out *criterion_object(const struct character *c, const struct criterion *what,
			     u32 threshold);

struct out *character_json(const struct character *c);
struct out *character_of_job(const struct character *c);

/* Returns the workload of @layer, a member of "layers", as rows of the table of criteria. If the
 * workload is unknown, returns an empty array. */
struct out *workload_model_rows(const struct out *layer);

/* how the member "workload" of a layer is shown as text */
extern const struct view workload_model_views[];

#endif
