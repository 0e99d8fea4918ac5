/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_PLAN_H
#define IOSPAN_SETS_PLAN_H

#include "bench/sets/sets.h"

/* Chooses the scale, and makes the cases of the sets in @kinds (bits of enum sets_kind). For
 * SETS_DEVICES, makes one set for all targets; for other kinds, one set for each target. Returns 0,
 * or -errno if there is not enough space or memory; prints the error. */
int sets_plan(struct sets *s, unsigned kinds);

/* Adds a case to the set @e and returns it. Takes ownership of @name. The pointer is valid until
 * the next call. */
struct sets_case *sets_add_case(struct sets_experiment *e, char *name);
/* Frees the sets, their cases and runs. */
void sets_forget(struct sets *s);

#endif
