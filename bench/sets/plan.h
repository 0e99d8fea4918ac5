/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_PLAN_H
#define IOSPAN_SETS_PLAN_H

#include "bench/sets/sets.h"

/* Plans the sets in @kinds (bits of enum sets_kind). SETS_DEVICES compares all targets; other kinds
 * become one set per target. Returns -errno if space or memory is not enough; prints the error. */
int sets_plan(struct sets *s, unsigned kinds);

/* Owns @name. The next call may move the cases. */
struct sets_case *sets_add_case(struct sets_experiment *e, char *name);
void sets_forget(struct sets *s);

#endif
