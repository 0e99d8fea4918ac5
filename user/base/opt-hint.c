// SPDX-License-Identifier: GPL-2.0-or-later
/* If a command line has arguments of another tool, such as --rw of fio, suggests a line without
 * them. A hint is an argument of the other tool and the text that replaces it. */
#include "user/base/opt-hint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

/* State of opt_hint_line(), which copies a command line and replaces arguments of other tools. */
struct scan {
	const struct opt_page *page;
	char **argv;
	FILE *line;	     /* the suggested command line */
	const char *foreign; /* first argument that iospan does not accept */
	bool operand, changed;
};

static bool is_option(const char *name, const char *arg)
{
	size_t len = strcspn(arg, "=");

	return !strncmp(name, arg, len) && !name[len];
}

/* Returns true if option @arg takes a value, and the value is the next argument. */
static bool takes_next(const struct opt_page *page, const char *arg)
{
	for (const struct opt_alias *a = page->aliases; a && a->name; a++)
		if (!strncmp(arg, "--", 2) && !strcmp(a->name, arg + 2))
			return true;
	for (const struct opt *o = page->opts; o->name; o++)
		if (o->type != OPT_FLAG_ &&
		    ((!strncmp(arg, "--", 2) && !strcmp(o->name, arg + 2)) ||
		     (arg[0] == '-' && o->letter && arg[1] == o->letter && !arg[2])))
			return true;
	return false;
}

static bool has_option(char *const *argv, const char *name)
{
	while (*argv && strcmp(*argv, "--") && !is_option(name, *argv))
		argv++;
	return *argv && strcmp(*argv, "--");
}

/* Returns true if hint @h applies to the argument at @at. Sets *@value to the value of this
 * argument. Sets *@words to 2 if the value is the next argument, as in "--rw read". Sets it to 1 if
 * there is no value, or if the value is in the same argument, as in "--rw=read". */
static bool applies(const struct scan *s, const struct opt_hint *h, char **at, const char **value,
		    int *words)
{
	const char *inner = strchr(*at, '=');

	*words = 1;
	*value = *at;
	if (!*h->arg)
		return !s->operand && (isalpha((unsigned char)**at) || **at == '/');
	if (!is_option(h->arg, *at) || (h->with && !has_option(s->argv, h->with)))
		return false;
	*value = inner ? inner + 1 : at[1];
	if (!h->value)
		return true;
	*words += !inner;
	return *value && (!strcmp(h->value, "*") || !strcmp(h->value, *value));
}

/* Prints @word, with quotes if the shell would not read it as one word. */
static void put_word(FILE *f, const char *word)
{
	bool plain = *word;

	for (const char *c = word; *c; c++)
		plain &= isalnum((unsigned char)*c) || strchr("-_=,./:%+@", *c);
	fputs(plain ? " " : " '", f);
	for (const char *c = word; *c; c++)
		fprintf(f, "%s%c", *c == '\'' ? "'\\'" : "", *c);
	fputs(plain ? "" : "'", f);
}

/* Prints @instead, the replacement of an argument. A "*" in it stands for @value. */
static void put_instead(FILE *f, const char *instead, const char *value)
{
	size_t before = strcspn(instead, "*");
	size_t option = before && instead[before - 1] == ' ' ? before - 1 : before;

	if (before)
		fprintf(f, " %.*s", (int)option, instead);
	if (!instead[before])
		return;
	put_word(f, value);
	fputs(instead + before + 1, f);
}

/* If a hint applies to the argument at @at, adds the replacement to the suggested line. Otherwise
 * copies the argument. Returns the number of arguments used: 2 if the next argument is the value of
 * this one, else 1. */
static int scan_argument(struct scan *s, char **at)
{
	const struct opt_hint *h = s->page->hints;
	const char *value;
	int words;

	while (h->arg && !applies(s, h, at, &value, &words))
		h++;
	if (h->arg) {
		put_instead(s->line, h->instead, value);
		s->changed = true;
		if (!h->with && !s->foreign)
			s->foreign = *at;
		s->operand |= !*h->arg;
		return words;
	}
	words = takes_next(s->page, *at) && at[1] ? 2 : 1;
	for (int i = 0; i < words; i++)
		put_word(s->line, at[i]);
	return words;
}

char *opt_hint_line(const struct opt_page *page, char **argv, const char **foreign)
{
	struct scan s = { .page = page, .argv = argv };
	char *line = NULL, **at = argv + 1;
	size_t size;

	*foreign = NULL;
	if (!page->hints)
		return NULL;
	s.line = need(open_memstream(&line, &size));
	fprintf(s.line, "iospan %s", page->command);
	while (*at && strcmp(*at, "--"))
		at += scan_argument(&s, at);
	for (; *at; at++)
		put_word(s.line, *at);
	fclose(s.line);
	*foreign = s.foreign;
	if (s.changed)
		return need(line);
	free(line);
	return NULL;
}
