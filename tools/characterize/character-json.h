/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A struct character as JSON. The caller owns the objects that these functions return. */
#ifndef IOSPAN_CHARACTERIZE_CHARACTER_JSON_H
#define IOSPAN_CHARACTERIZE_CHARACTER_JSON_H

#include "tools/characterize/character.h"
#include "user/base/out.h"

/* Returns the title of a criterion with its threshold, such as "burstiness rho, c = 128k". The
 * caller frees it. */
char *criterion_title(const struct character *c, const struct criterion *what, u32 threshold);

/* Returns the number, key, title and threshold of a criterion. */
struct out *criterion_object(const struct character *c, const struct criterion *what,
			     u32 threshold);

/* Returns the criteria, sizes, strides and servers of a layer. */
struct out *character_json(const struct character *c);
/* Returns the criteria of a job of a log. */
struct out *character_of_job(const struct character *c);

#endif
