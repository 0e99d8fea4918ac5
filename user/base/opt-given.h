/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that the user gave on the command line, and rules for pairs of them. */
#ifndef IOSPAN_BASE_OPT_GIVEN_H
#define IOSPAN_BASE_OPT_GIVEN_H

#include "user/base/opt.h"

/* ---- functions that opt.c calls ---- */

/* Forgets all options. */
void given_nothing(void);

/* Stores that option @o was given. Call this after the variable of @o was set. @name is the name of
 * the option on the command line. @value is its argument, or NULL.
 *
 * An option that takes a list may be given several times with different values. If any other option
 * is given a second time with a different value, prints an error and returns -EUSAGE. Otherwise
 * returns 0. */
int given_note(const struct opt *o, const char *name, const char *value);

/* Returns true if the user gave an option by two of its names, such as --size and --bs. If so, sets
 * *@first and *@second to the two names. */
bool given_by_two_names(const char **first, const char **second);

/* ---- functions that commands call ---- */

/* Returns true if the user gave the option that sets the variable @dst. */
bool opt_given(const void *dst);
/* Returns true if the user gave the option that sets the variable @dst, and the value is not 0. */
bool opt_in_use(const struct opt_page *page, const void *dst);

/* A rule for two options, .idle and .with, each identified by the address of its variable. If
 * .missing is true, .idle has no effect without .with. If .missing is false, .idle has no effect
 * together with .with. */
struct opt_pair {
	const void *idle, *with;
	bool missing;
};

#define OPT_BARS(idle, with) \
	{ \
		idle, with, false \
	}
#define OPT_NEEDS(idle, with) \
	{ \
		idle, with, true \
	}

/* Checks the rules in @pairs, which ends with an element that has .idle NULL. If an option has no
 * effect because of another option that the user gave, prints an error that names both options, and
 * returns -EUSAGE. Otherwise returns 0. */
int opt_check_pairs(const struct opt_page *page, const struct opt_pair *pairs);
/* Prints the error that option @name, such as "requests", has no effect together with option @with,
 * such as "--seq 1". Returns -EUSAGE. */
int opt_no_effect(const char *name, const char *with);

#endif
