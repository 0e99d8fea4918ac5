// SPDX-License-Identifier: GPL-2.0-or-later
/* If a command line has arguments of another tool, such as --rw of fio, suggests a line without
 * them. A hint is an argument of the other tool and the text that replaces it. */
#include "user/base/opt-hint.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

/* State of opt_hint_line(), which copies a command line and replaces arguments of other tools. */
struct scan {
	const struct opt_page *page;
	char **argv;
	FILE *line;  /* the suggested command line */
	FILE *notes; /* notes about arguments; each note ends with "; " */
	/* .why of the hint that was last printed as advice; it is not repeated */
	const char *reason;
	const char *foreign; /* first argument that iospan does not accept */
	bool operand, changed;
	bool target;		    /* the suggested line has an operand */
	const struct opt **options; /* options of the suggested line; the last element is NULL */
};

/* Returns true if @arg is option @name, alone or with a value, as in "--rw=read" or "--rw read". */
static bool is_option(const char *name, const char *arg)
{
	size_t len = strcspn(arg, "= ");

	return !strncmp(name, arg, len) && !name[len];
}

static bool is_long(const char *name, const char *arg)
{
	return !strncmp(arg, "--", 2) && is_option(name, arg + 2);
}

/* Returns the option of iospan that @arg starts with, such as "--size=4k" or "-s4k"; else NULL. */
static const struct opt *option_of(const struct opt_page *page, const char *arg)
{
	const char *name = NULL;

	for (const struct opt_alias *a = page->aliases; a && a->name; a++)
		if (is_long(a->name, arg))
			name = a->of;
	for (const struct opt *o = page->opts; o->name; o++)
		if ((name ? !strcmp(o->name, name) : is_long(o->name, arg)) ||
		    (arg[0] == '-' && o->letter && arg[1] == o->letter))
			return o;
	return NULL;
}

/* Returns true if @arg is option @o, and the value of the option is the next argument. */
static bool takes_next(const struct opt *o, const char *arg)
{
	return o && o->type != OPT_FLAG_ && (arg[1] == '-' ? !strchr(arg, '=') : !arg[2]);
}

/* Returns true if the command line has option @wanted, such as "--bs". If @wanted has a pattern, as
 * in "--ioengine=*sync", the value must match it. */
static bool has_option(char *const *argv, const char *wanted)
{
	size_t len = strcspn(wanted, "=");

	for (; *argv && strcmp(*argv, "--"); argv++) {
		const char *inner = strchr(*argv, '='), *value = inner ? inner + 1 : argv[1];

		if (strncmp(wanted, *argv, len) || strcspn(*argv, "=") != len)
			continue;
		if (!wanted[len] || (value && !fnmatch(wanted + len + 1, value, 0)))
			return true;
	}
	return false;
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
	return *value && !fnmatch(h->value, *value, 0);
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

/* Returns the hint that applies to the argument at @at, or NULL; see applies(). */
static const struct opt_hint *hint_for(const struct scan *s, char **at, const char **value,
				       int *words)
{
	const struct opt_hint *h = s->page->hints;

	while (h->arg && !applies(s, h, at, value, words))
		h++;
	return h->arg ? h : NULL;
}

/* Adds option @o to the options of the suggested line. Returns false if the line has @o already,
 * and @o cannot be repeated. */
static bool add_option(struct scan *s, const struct opt *o)
{
	const struct opt **at = s->options;

	while (*at && *at != o)
		at++;
	if (*at)
		return o->type == OPT_LIST_ || o->type == OPT_SET_;
	*at = o;
	return true;
}

/* Adds one option or operand to the suggested line: the first @len characters of @part. @value
 * replaces a "*" in @part. */
static void put_part(FILE *f, const char *part, size_t len, const char *value)
{
	const char *star = memchr(part, '*', len);
	size_t before = star ? (size_t)(star - part) : len;
	size_t option = star && before && part[before - 1] == ' ' ? before - 1 : before;

	if (before)
		fprintf(f, " %.*s", (int)option, part);
	if (!star)
		return;
	put_word(f, value);
	fprintf(f, "%.*s", (int)(len - before - 1), star + 1);
}

/* Returns true if the user gave the option that @why names, such as "--destroy". */
static bool has_named(const struct scan *s, const char *why)
{
	const char *name = strstr(why, "--");
	size_t len = name ? strcspn(name + 2, ", ") : 0;
	const struct opt **at = s->options;

	if (!name)
		return false;
	while (*at && (strncmp((*at)->name, name + 2, len) || (*at)->name[len]))
		at++;
	return *at;
}

/* Prints the note of hint @h for argument @arg. If the hint has no replacement, the note says why
 * @arg is left out. Otherwise the note is advice, such as to add "--destroy". Advice is printed
 * only once, and not if the user gave that option. */
static void put_why(struct scan *s, const struct opt_hint *h, const char *arg)
{
	if (!h->why)
		return;
	if (!*h->instead) {
		fprintf(s->notes, "'%s' is left out, as %s; ", arg, h->why);
	} else if (h->why != s->reason && !has_named(s, h->why)) {
		fprintf(s->notes, "'%s': %s; ", arg, h->why);
		s->reason = h->why;
	}
}

/* Adds the replacement of argument @arg to the suggested line. The replacement may consist of
 * several options and an operand. Leaves out those that the line already has. */
static void put_instead(struct scan *s, const struct opt_hint *h, const char *arg,
			const char *value)
{
	const char *part = h->instead, *next;

	put_why(s, h, arg);
	for (; *part; part = next) {
		const char *end = strstr(part + 1, " --");
		const struct opt *o = option_of(s->page, part);
		size_t len = end ? (size_t)(end - part) : strlen(part);

		next = part + len + (end != NULL);
		if (*part == '*' && s->target) {
			fprintf(s->notes, "'%s' is left out, as a target is given; ", arg);
		} else if (o && !add_option(s, o)) {
			fprintf(s->notes, "'%s' is left out, as --%s is given; ", arg, o->name);
		} else {
			put_part(s->line, part, len, value);
		}
		s->target |= *part == '*';
	}
}

/* Finds the options and operands of iospan in the user's command line. The suggested line will have
 * them, too, so put_instead() must not add them a second time. */
static void scan_own(struct scan *s)
{
	char **at = s->argv + 1;
	const char *value;
	int words;

	for (; *at && strcmp(*at, "--"); at += words) {
		const struct opt_hint *h = hint_for(s, at, &value, &words);
		const struct opt *o = h ? NULL : option_of(s->page, *at);

		s->operand |= h && !*h->arg;
		if (!h)
			words = takes_next(o, *at) && at[1] ? 2 : 1;
		if (o)
			add_option(s, o);
		else if (!h)
			s->target |= **at != '-' || !(*at)[1];
	}
	s->target |= *at && at[1];
	s->operand = false;
}

/* If a hint applies to the argument at @at, adds the replacement to the suggested line. Otherwise
 * copies the argument, and its value if this is the next argument. Returns the number of arguments
 * used, 1 or 2. */
static int scan_argument(struct scan *s, char **at)
{
	const char *value;
	int words;
	const struct opt_hint *h = hint_for(s, at, &value, &words);

	if (h) {
		put_instead(s, h, *at, value);
		s->changed = true;
		if (!h->with && !s->foreign)
			s->foreign = *at;
		s->operand |= !*h->arg;
		return words;
	}
	words = takes_next(option_of(s->page, *at), *at) && at[1] ? 2 : 1;
	for (int i = 0; i < words; i++)
		put_word(s->line, at[i]);
	return words;
}

static void scan_line(struct scan *s)
{
	char **at = s->argv + 1;

	scan_own(s);
	fprintf(s->line, "iospan %s", s->page->command);
	while (*at && strcmp(*at, "--"))
		at += scan_argument(s, at);
	for (; *at; at++)
		put_word(s->line, *at);
}

char *opt_hint_line(const struct opt_page *page, char **argv, const char **foreign)
{
	struct scan s = { .page = page, .argv = argv };
	char *line = NULL, *notes = NULL, *text;
	size_t size, n = 0;

	*foreign = NULL;
	if (!page->hints)
		return NULL;
	while (page->opts[n].name)
		n++;
	s.options = need(calloc(n + 1, sizeof(*s.options)));
	s.line = need(open_memstream(&line, &size));
	s.notes = need(open_memstream(&notes, &size));
	scan_line(&s);
	fclose(s.line);
	fclose(s.notes);
	need(line);
	need(notes);
	*foreign = s.foreign;
	text = s.changed ? need_text("%stry: %s", notes, line) : NULL;
	free(line);
	free(notes);
	free(s.options);
	return text;
}
