// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses a command line by a table of options. An operand is an argument that is no option. An
 * alias is another name of an option, such as --bs for --size. */
#include <stdlib.h>
#include <string.h>
#include "user/base/err.h"
#include "user/base/nearest.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/opt-common.h"
#include "user/base/opt-given.h"
#include "user/base/opt-help.h"
#include "user/base/opt-hint.h"
#include "user/base/words.h"

const struct opt opt_help_option = OPT_FLAG('h', "help", NULL, "print this page and exit");

/* State of the parser; .at is the index of the current argument in .argv. */
struct cursor {
	const struct opt_page *page;
	char **argv;
	int argc, at;
};

/* ---- parsing ---- */

/* Sets bit i of *@set for each word o->words[i] in @list. If @again is true, the option was given
 * before, so the bits that are already set stay set. If a word is unknown, prints an error and
 * returns -EUSAGE. */
static int parse_set(const struct opt *o, const char *list, bool again, unsigned *set)
{
	unsigned bits = again ? *set : 0;
	char *what = need_text("value of --%s", o->name), *word;
	int at = 0;

	while (at >= 0 && (word = words_item(&list))) {
		at = words_index(what, o->words, word);
		bits |= at < 0 ? 0 : 1U << at;
		free(word);
	}
	free(what);
	if (at < 0)
		return at;
	*set = bits;
	return 0;
}

/* Checks the key of @pattern, such as "pod" in "pod=web*". A pattern such as "*a=b" has no key,
 * because a wildcard comes before the '='. If the key is not in o->words, prints an error and
 * returns -EUSAGE. */
static int check_key(const struct opt *o, const char *pattern)
{
	size_t len = strcspn(pattern, "=*?[\\/");
	char *what, *key;
	int at = 0, ret = 0;

	if (!o->words || pattern[len] != '=')
		return 0;
	what = need_text("key of --%s", o->name);
	key = need(strndup(pattern, len));
	while (o->words[at] && strcmp(o->words[at], key))
		at++;
	if (!o->words[at])
		ret = words_error(what, o->words, key, "; write \\= for a '=' in a name");
	free(what);
	free(key);
	return ret;
}

/* Stores @list in the option's variable. If @again is true, the variable already has a list, and
 * @list is appended to that list. */
static int parse_list(const struct opt *o, const char *list, bool again)
{
	char **to = o->dst, *before = again ? *to : NULL, *item;
	const char *rest = list;
	int ret = 0;

	while (!ret && (item = words_item(&rest))) {
		ret = *item ? check_key(o, item) : -EINVAL;
		free(item);
	}
	if (ret)
		return ret;
	*to = before ? need_text("%s,%s", before, list) : need(strdup(list));
	free(before);
	return 0;
}

static int append_value(const char ***to, const char *value)
{
	size_t n = 0;

	while (*to && (*to)[n])
		n++;
	*to = need(reallocarray(*to, n + 2, sizeof(**to)));
	(*to)[n] = value;
	(*to)[n + 1] = NULL;
	return 0;
}

/* Converts @value and stores it in the variable of option @o. If @value is invalid, leaves the
 * variable unchanged and returns an error: -EUSAGE if a message is already printed, else -EINVAL or
 * -ERANGE. */
static int store(const struct opt *o, const char *value)
{
	switch (o->type) {
	case OPT_UINT_:
		return num_uint(value, o->dst);
	case OPT_SIZE_:
		return num_size(value, o->dst);
	case OPT_TIME_:
		return num_time(value, o->dst);
	case OPT_REAL_:
		return num_real(value, o->dst);
	case OPT_SET_:
		return parse_set(o, value, opt_given(o->dst), o->dst);
	case OPT_LIST_:
		return parse_list(o, value, opt_given(o->dst));
	case OPT_EACH_:
		return append_value(o->dst, value);
	case OPT_STR_:
		*(const char **)o->dst = value;
		return 0;
	case OPT_FLAG_:
	case OPT_END_:
		break;
	}
	return -EINVAL;
}

static int value_error(const struct opt *o, const char *value, int err)
{
	const char *wanted = "a whole number";

	if (err == -ERANGE)
		return error(-EUSAGE, "option '--%s': '%s' is too large", o->name, value);
	if (err == -EUSAGE)
		return err;
	if (o->type == OPT_SIZE_)
		wanted = "a size such as 4096, 4k or 2GiB";
	if (o->type == OPT_TIME_)
		wanted = "a time such as 5ms, 2m or 10 (seconds)";
	if (o->type == OPT_REAL_)
		wanted = "a number such as 3, 0.67 or 67%";
	if (o->type == OPT_LIST_)
		wanted = "a list of patterns such as 'a,b*'";
	return error(-EUSAGE, "option '--%s' wants %s, not '%s'", o->name, wanted, value);
}

/* Handles option @o. @name is its name on the command line, which may be an alias. @value is the
 * value in the same argument, as in --name=value; NULL: the value is the next argument. */
static int take(struct cursor *c, const struct opt *o, const char *name, const char *value)
{
	int ret;

	if (o->type == OPT_FLAG_) {
		if (value)
			return error(-EUSAGE, "option '--%s' takes no argument", o->name);
		if (o == &opt_help_option) {
			opt_help(stdout, c->page);
			return OPT_HELPED;
		}
		*(bool *)o->dst = true;
		return given_note(o, name, NULL);
	}
	/* "--" ends the options, so it is never the value of an option. If the user forgot the
	 * value of an option, "--" and the command to run come next. */
	if (!value) {
		if (c->at + 1 == c->argc || strcmp(c->argv[c->at + 1], "--") == 0)
			return error(-EUSAGE, "option '--%s' needs an argument", o->name);
		value = c->argv[++c->at];
	}
	ret = store(o, value);
	if (ret < 0)
		return value_error(o, value, ret);
	return given_note(o, name, value);
}

static int unknown(const struct opt_page *page, const char *name, size_t len)
{
	const char **names, *near;
	size_t n = 0;

	while (page->opts[n].name)
		n++;
	names = need(calloc(n + 2, sizeof(*names)));
	for (size_t i = 0; i < n; i++)
		names[i] = page->opts[i].name;
	names[n] = opt_help_option.name;
	near = nearest_word(names, name, len);
	free(names);
	if (near)
		return error(-EUSAGE, "unknown option '--%.*s'; did you mean '--%s'?", (int)len,
			     name, near);
	return error(-EUSAGE, "unknown option '--%.*s'; see 'iospan %s --help'", (int)len, name,
		     page->command);
}

static bool is_name(const char *name, const char *word, size_t len)
{
	return !strncmp(name, word, len) && !name[len];
}

static int parse_long(struct cursor *c, const char *word)
{
	const struct opt *o = c->page->opts;
	size_t len = strcspn(word, "=");
	const char *name = word, *alias = NULL, *value = word[len] ? word + len + 1 : NULL;

	for (const struct opt_alias *a = c->page->aliases; a && a->name; a++)
		if (is_name(a->name, word, len)) {
			alias = a->name;
			name = a->of;
			len = strlen(name);
			break;
		}
	while (o->name && !is_name(o->name, name, len))
		o++;
	if (o->name)
		return take(c, o, alias ?: o->name, value);
	if (is_name(opt_help_option.name, name, len))
		return take(c, &opt_help_option, name, value);
	return unknown(c->page, name, len);
}

/* Parses short options in one argument, such as "-v", "-vj" and "-ovalue". In "-o value", the value
 * is the next argument. */
static int parse_letters(struct cursor *c, const char *letters)
{
	int ret = 0;

	for (; *letters && ret == 0; letters++) {
		const struct opt *o = c->page->opts;

		while (o->name && o->letter != *letters)
			o++;
		if (!o->name && *letters == opt_help_option.letter)
			o = &opt_help_option;
		if (!o->name)
			return error(-EUSAGE,
				     "unknown option '-%c'; see "
				     "'iospan %s --help'",
				     *letters, c->page->command);
		if (o->type != OPT_FLAG_)
			return take(c, o, o->name, letters[1] ? letters + 1 : NULL);
		ret = take(c, o, o->name, NULL);
	}
	return ret;
}

static bool is_given(const struct opt_page *page, const char *name)
{
	const struct opt *o = page->opts;

	while (o->name && strcmp(o->name, name))
		o++;
	return o->name && opt_given(o->dst);
}

/* If the user gave both options of a pair in OPT_EXCLUDED, prints an error and returns -EUSAGE. */
static int check_excluded(const struct opt_page *page)
{
	static const char *const pairs[][2] = { OPT_EXCLUDED };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (is_given(page, pairs[i][0]) && is_given(page, pairs[i][1]))
			return error(-EUSAGE, "--%s and --%s exclude each other", pairs[i][0],
				     pairs[i][1]);
	return 0;
}

static int names_error(const struct opt_page *page, char **argv, const char *a, const char *b)
{
	const char *foreign;
	char *line = opt_hint_line(page, argv, &foreign);
	int ret = error(-EUSAGE, "--%s and --%s are the same option; %s", a, b,
			line ?: "leave out one of them");

	free(line);
	return ret;
}

/* If the user gave both an option and its alias, such as --size and --bs, prints an error and
 * returns -EUSAGE. */
static int check_names(const struct opt_page *page, char **argv)
{
	const char *a, *b;

	return given_by_two_names(&a, &b) ? names_error(page, argv, a, b) : 0;
}

static int refuse_foreign(const struct opt_page *page, char **argv)
{
	const char *foreign;
	char *line = opt_hint_line(page, argv, &foreign);
	int ret = 0;

	if (foreign)
		ret = error(-EUSAGE, "'%s' does not take '%s'; %s", page->command, foreign, line);
	free(line);
	return ret;
}

static int parse(const struct opt_page *page, int argc, char **argv)
{
	struct cursor c = { page, argv, argc, 1 };

	for (; c.at < argc; c.at++) {
		const char *arg = argv[c.at];
		int ret;

		if (arg[0] != '-' || !arg[1]) /* "-" alone is an operand */
			break;
		if (strcmp(arg, "--") == 0) {
			c.at++;
			break;
		}
		ret = arg[1] == '-' ? parse_long(&c, arg + 2) : parse_letters(&c, arg + 1);
		if (ret < 0)
			return ret;
	}
	return c.at;
}

static int check_given(const struct opt_page *page, char **argv)
{
	return check_excluded(page) ?: check_names(page, argv);
}

int opt_parse(const struct opt_page *page, int argc, char **argv)
{
	int at, ret;

	given_nothing();
	at = refuse_foreign(page, argv) ?: parse(page, argc, argv);
	ret = at < 0 ? at : check_given(page, argv);

	return ret ?: at;
}

int opt_operands(const struct opt_page *page, int argc, char **argv, char **operands)
{
	int at, n = 0;
	char **line = argv;
	bool ended = false;

	given_nothing();
	at = refuse_foreign(page, argv) ?: parse(page, argc, argv);
	while (at >= 0 && at < argc) {
		ended |= strcmp(argv[at - 1], "--") == 0 ||
			(page->takes_command && *page->takes_command);
		operands[n++] = argv[at];
		argv += at;
		argc -= at;
		at = ended ? 1 : parse(page, argc, argv);
	}
	operands[n] = NULL;
	return at < 0 ? at : check_given(page, line) ?: n;
}
