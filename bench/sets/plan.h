/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_PLAN_H
#define IOSPAN_SETS_PLAN_H

#include "bench/sets/sets.h"

/* Finds the scale and makes the cases of the sets whose bits are in @kinds: of the first one set
 * of all targets, of the others one for each target. -errno, printed: there is no room. */
int sets_plan(struct sets *s, unsigned kinds);

struct sets_case *sets_add_case(struct sets_experiment *e, char *name); /* takes the name */
void sets_forget(struct sets *s); /* the cases and what came of them */

#endif
