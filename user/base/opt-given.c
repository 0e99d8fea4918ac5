// SPDX-License-Identifier: GPL-2.0-or-later
/* Remembers the options that the user gave. An alias is another name of an option, such as --bs
 * for --size. */
#include "user/base/opt-given.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

/* The options that the user gave. One global variable is sufficient, because a process parses only
 * one command line at a time. */
static struct {
	struct one {
		const struct opt *o;
		const char *name; /* name of the option or alias, as the user wrote it */
		const char *value;
		/* value of the option's variable after parsing, if the variable is a number */
		uint64_t number;
	} * all;
	size_t n;
} given;

void given_nothing(void)
{
	given.n = 0;
}

static const struct one *find(const void *dst)
{
	for (size_t i = 0; i < given.n; i++)
		if (given.all[i].o->dst == dst)
			return &given.all[i];
	return NULL;
}

static bool is_number(const struct opt *o)
{
	return o->type == OPT_UINT_ || o->type == OPT_SIZE_ || o->type == OPT_TIME_ ||
		o->type == OPT_REAL_;
}

static bool differs(const struct one *a, const struct one *b)
{
	return is_number(a->o) ? a->number != b->number :
				 a->o->type == OPT_STR_ && strcmp(a->value, b->value);
}

int given_note(const struct opt *o, const char *name, const char *value)
{
	struct one new = { o, name, value, 0 };
	const struct one *before = find(o->dst);

	if (is_number(o))
		memcpy(&new.number, o->dst, sizeof(new.number));
	/* If the names differ, the user gave an option and its alias, such as --size and --bs. In
	 * this case, check_names() in opt.c prints the error. */
	if (before && !strcmp(before->name, name) && differs(before, &new))
		return error(-EUSAGE,
			     "option '--%s' is given twice, with '%s' and '%s'; leave out one of "
			     "them",
			     name, before->value, value);
	given.all = need(reallocarray(given.all, given.n + 1, sizeof(*given.all)));
	given.all[given.n++] = new;
	return 0;
}

bool given_by_two_names(const char **first, const char **second)
{
	for (const struct one *b = given.all; b < given.all + given.n; b++)
		for (const struct one *a = given.all; a < b; a++)
			if (a->o->dst == b->o->dst && strcmp(a->name, b->name)) {
				*first = a->name;
				*second = b->name;
				return true;
			}
	return false;
}

bool opt_given(const void *dst)
{
	return find(dst);
}

/* ---- checks for options that have no effect ---- */

static const struct opt *option_of(const struct opt_page *page, const void *dst)
{
	const struct opt *o = page->opts;

	while (o->name && o->dst != dst)
		o++;
	return o;
}

static bool is_zero(const struct opt *o)
{
	switch (o->type) {
	case OPT_UINT_:
	case OPT_SIZE_:
	case OPT_TIME_:
		return !*(const uint64_t *)o->dst;
	case OPT_REAL_:
		return !(*(const double *)o->dst > 0);
	default:
		return false;
	}
}

bool opt_in_use(const struct opt_page *page, const void *dst)
{
	return opt_given(dst) && !is_zero(option_of(page, dst));
}

int opt_no_effect(const char *name, const char *with)
{
	return error(-EUSAGE, "option '--%s' has no effect with '%s'; leave out one of them", name,
		     with);
}

int opt_check_pairs(const struct opt_page *page, const struct opt_pair *pairs)
{
	char with[64];

	for (; pairs->idle; pairs++) {
		const char *idle = option_of(page, pairs->idle)->name;

		snprintf(with, sizeof(with), "--%s", option_of(page, pairs->with)->name);
		if (!opt_in_use(page, pairs->idle) ||
		    opt_in_use(page, pairs->with) == pairs->missing)
			continue;
		return pairs->missing ?
			error(-EUSAGE, "option '--%s' has no effect without '%s'", idle, with) :
			opt_no_effect(idle, with);
	}
	return 0;
}
