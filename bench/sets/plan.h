/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans the sets: experiments with cases that differ in one parameter. A kind is one of the sets of
 * He, Sun, Yin 2013: 1, 2, 3, 3b or 4. */
#ifndef IOSPAN_SETS_PLAN_H
#define IOSPAN_SETS_PLAN_H

#include "bench/sets/sets.h"

/* Chooses the amount of data, and plans the sets in @kinds (bits of enum sets_kind). SETS_DEVICES
 * becomes one set that compares all targets. Each other kind becomes one set per target. Returns 0,
 * or -errno if space or memory is not enough; prints the error. */
int sets_plan(struct sets *s, unsigned kinds);

/* Adds a case named @name to the set @e, and returns it. The set owns @name from then on. The next
 * call may move the cases in memory, so the returned pointer is valid only until then. */
struct sets_case *sets_add_case(struct sets_experiment *e, char *name);
void sets_forget(struct sets *s);

#endif
