/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans the sets: experiments with cases that differ in one parameter. A kind is one of the sets of
 * He, Sun, Yin 2013: 1, 2, 3, 3b or 4, or one of iospan. */
#ifndef IOSPAN_SETS_PLAN_H
#define IOSPAN_SETS_PLAN_H

#include "bench/sets/sets.h"

/* Chooses the amount of data, and plans the sets in @kinds (bits of enum sets_kind). A kind of
 * SETS_OF_ALL_TARGETS becomes one set with all targets. Each other kind becomes one set per target.
 * Returns 0, or -errno if space or memory is not enough; prints the error. */
int sets_plan(struct sets *s, unsigned kinds);

struct sets_experiment *sets_add(struct sets *s, enum sets_kind kind);
/* Adds a case named @name to the set @e, and returns it. The set owns @name from then on. The next
 * call may move the cases in memory, so the returned pointer is valid only until then. */
struct sets_case *sets_add_case(struct sets_experiment *e, char *name);
void sets_forget(struct sets *s);

/* Returns true if two targets use the same space: they are the same target, or directories in one
 * file system. */
bool sets_share_room(const char *one, const char *other);

#endif
