// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the --help text of a command from its table of options. */
#include "user/base/opt-help.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"

#define HELP_WIDTH 80
/* Largest column in which help texts start. If an option is longer, its help text starts on the
 * next line. */
#define HELP_COLUMN 30

/* Prints the option as "-o, --output FILE". Returns the number of characters printed. */
static int print_label(FILE *f, const struct opt *o)
{
	int len = o->letter ? fprintf(f, "  -%c, ", o->letter) : fprintf(f, "      ");

	len += fprintf(f, "--%s", o->name);
	if (o->arg)
		len += fprintf(f, " %s", o->arg);
	return len;
}

char *opt_words(const char *const *words, unsigned set)
{
	char *text = need_text("%s", "");

	for (unsigned i = 0; words[i]; i++) {
		char *before = text;

		if (!(set >> i & 1))
			continue;
		text = need_text("%s%s%s", before, *before ? "," : "", words[i]);
		free(before);
	}
	return text;
}

static void print_words(FILE *f, const struct opt *o, unsigned set)
{
	char *text = opt_words(o->words, set);

	fputs(text, f);
	free(text);
}

/* Prints the default of the option as " [value]", in a form that the option's parser accepts. */
static void print_default(FILE *f, const struct opt *o)
{
	char buf[NUM_TEXT];

	if (o->type == OPT_FLAG_ || o->type == OPT_EACH_ ||
	    ((o->type == OPT_STR_ || o->type == OPT_LIST_) && !*(const char **)o->dst) ||
	    (o->type == OPT_SET_ && !*(unsigned *)o->dst))
		return;
	fputs(" [", f);
	if (o->type == OPT_UINT_ && o->words && !*(uint64_t *)o->dst)
		fputs(o->words[0], f);
	else if (o->type == OPT_UINT_)
		fprintf(f, "%ju", (uintmax_t) * (uint64_t *)o->dst);
	else if (o->type == OPT_SIZE_)
		fputs(num_size_arg(buf, *(uint64_t *)o->dst), f);
	else if (o->type == OPT_TIME_)
		fputs(num_time_arg(buf, *(uint64_t *)o->dst), f);
	else if (o->type == OPT_REAL_)
		fputs(num_exact_text(buf, *(double *)o->dst), f);
	else if (o->type == OPT_SET_)
		print_words(f, o, *(unsigned *)o->dst);
	else
		fputs(*(const char **)o->dst, f);
	fputs("]", f);
}

/* Prints @text with line breaks before the right margin. All lines after the first are indented to
 * column @indent. */
static void print_wrapped(FILE *f, const char *text, int indent)
{
	int column = indent;

	while (*text) {
		int len = strcspn(text, " ");

		/* If a list of words without blanks is longer than a line, breaks the list after a
		 * comma. */
		while (indent + len > HELP_WIDTH && memrchr(text, ',', len - 1))
			len = (const char *)memrchr(text, ',', len - 1) + 1 - text;
		if (column > indent) {
			const char *gap = text[-1] == ',' ? "" : " ";

			if (column + 1 + len > HELP_WIDTH)
				fprintf(f, "\n%*s", column = indent, "");
			else
				column += fprintf(f, "%s", gap);
		}
		column += fprintf(f, "%.*s", len, text);
		text += len + strspn(text + len, " ");
	}
	fputc('\n', f);
}

static void print_opt(FILE *f, const struct opt *o, int indent)
{
	char *help = NULL;
	size_t size;
	FILE *text = open_memstream(&help, &size);
	int len = print_label(f, o);

	if (text) {
		fputs(o->help, text);
		if (o->type == OPT_SET_) {
			fputs(": ", text);
			print_words(text, o, ~0U);
		}
		print_default(text, o);
		fclose(text);
	}
	if (len > indent - 2) {
		fputc('\n', f);
		len = 0;
	}
	fprintf(f, "%*s", indent - len, "");
	print_wrapped(f, help ? help : o->help, indent);
	free(help);
}

void opt_help(FILE *f, const struct opt_page *page)
{
	int indent = strlen("  -h, --help  ");

	for (const struct opt *o = page->opts; o->name; o++) {
		int len = strlen("  -o, --") + strlen(o->name) + (o->arg ? 1 + strlen(o->arg) : 0) +
			2;

		if (len > indent && len <= HELP_COLUMN)
			indent = len;
	}
	print_wrapped(f, page->usage, fprintf(f, "usage: iospan %s ", page->command));
	fputc('\n', f);
	print_wrapped(f, page->summary, 0);
	fputs("\noptions:\n", f);
	for (const struct opt *o = page->opts; o->name; o++)
		print_opt(f, o, indent);
	print_opt(f, &opt_help_option, indent);
	if (page->aliases)
		fputs("\nnames that fio uses:\n", f);
	for (const struct opt_alias *a = page->aliases; a && a->name; a++)
		fprintf(f, "  --%-*s--%s\n", indent - 4, a->name, a->of);
	if (page->examples)
		fprintf(f, "\nexamples:\n%s", page->examples);
}
