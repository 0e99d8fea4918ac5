/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a struct character as text, JSON and CSV. The caller frees the JSON objects and tables
 * that these functions return. */
#ifndef IOSPAN_CHARACTERIZE_CHARACTER_SHOW_H
#define IOSPAN_CHARACTERIZE_CHARACTER_SHOW_H

#include "tools/characterize/character.h"

/* Returns the title of a criterion with its threshold, such as "burstiness rho, c = 128k". The
 * caller frees it. */
char *criterion_title(const struct character *c, const struct criterion *what, u32 threshold);

void character_text(FILE *f, const struct character *c);
struct out *character_criteria_json(const struct character *c);
/* returns the criteria, sizes, strides and servers */
struct out *character_json(const struct character *c);
struct table *character_csv_titles(const char *first);
void character_csv(struct table *t, const struct character *c);

#endif
