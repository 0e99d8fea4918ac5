// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan completion: prints scripts with which a shell completes the commands and options of
 * iospan. The scripts are made from the same tables of options as the text of --help. */
#include <string.h>

#include "user/base/err.h"
#include "user/base/words.h"
#include "user/cmd.h"

static const struct opt opts[] = { OPT_END };

const struct opt_page completion_page = {
	.command = "completion",
	.usage = "bash|zsh|fish|table",
	.summary = "print a completion script for a shell, or a table of all options",
	.opts = opts,
	.examples = "  iospan completion bash >/etc/bash_completion.d/iospan\n"
		    "  iospan completion zsh >~/.zfunc/_iospan\n"
		    "  iospan completion fish >~/.config/fish/completions/iospan.fish\n",
};

static bool is_path(const struct opt *o)
{
	return o->arg && (!strncmp(o->arg, "FILE", 4) || !strcmp(o->arg, "DIR"));
}

/* Returns the second word of the command's name, such as "load" of "bench load". Returns NULL if
 * the name has one word. */
static const char *second_word(const struct cmd *cmd)
{
	const char *space = strchr(cmd->name, ' ');

	return space ? space + 1 : NULL;
}

static int first_length(const struct cmd *cmd)
{
	return strcspn(cmd->name, " ");
}

/* Returns true if the previous command in cmds[] has the same first word as @cmd. This word is then
 * already in the list of completions. */
static bool repeats_first(const struct cmd *cmd)
{
	return cmd != cmds && first_length(cmd) == first_length(cmd - 1) &&
		!strncmp(cmd->name, cmd[-1].name, first_length(cmd));
}

/* Calls @fn for each option of the command, including --help. */
static void each_option(const struct cmd *cmd,
			void (*fn)(const struct cmd *cmd, const struct opt *o))
{
	for (const struct opt *o = cmd->page->opts; o->name; o++)
		fn(cmd, o);
	fn(cmd, &opt_help_option);
}

static void print_words(const struct opt *o)
{
	for (const char *const *word = o->words; *word; word++)
		printf(" %s", *word);
}

static void print_benchmarks(void)
{
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		if (second_word(cmd))
			printf(" %s", second_word(cmd));
}

/* Prints @text for use within single quotes of a shell. Prints each single quote as '\''. Puts a
 * backslash before each character of @text that is also in @special. */
static void print_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

/* ---- iospan completion table ---- */

/* Prints one option as a line with these fields, separated by tabs: command, letter, long name,
 * argument, help. If the option has no letter or no argument, the field is "-". */
static void table_row(const struct cmd *cmd, const struct opt *o)
{
	printf("%s\t%c\t%s\t%s\t%s\n", cmd->name, o->letter ? o->letter : '-', o->name,
	       o->arg ? o->arg : "-", o->help);
}

/* ---- iospan completion bash ---- */

static void bash_name(const struct cmd *cmd, const struct opt *o)
{
	if (o->letter)
		printf("-%c ", o->letter);
	printf("--%s ", o->name);
}

static void bash_value(const struct cmd *cmd, const struct opt *o)
{
	if (!o->arg)
		return;
	printf("\t\t'%s --%s'", cmd->name, o->name);
	if (o->letter)
		printf(" | '%s -%c'", cmd->name, o->letter);
	printf(") ");
	if (is_path(o)) {
		printf("files=1");
	} else if (o->type == OPT_SET_) {
		printf("values='");
		print_words(o);
		printf("'");
	}
	printf(" ;;\n");
}

static void bash(void)
{
	puts("# Completion of iospan for bash, from 'iospan completion bash'.\n"
	     "_iospan()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tlocal command=${COMP_WORDS[1]} at=2 options= values= files= i\n"
	     "\tCOMPREPLY=()");
	puts("\tif [[ $COMP_CWORD -eq 1 ]]; then");
	printf("\t\tCOMPREPLY=($(compgen -W 'help --help --version");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		if (!repeats_first(cmd))
			printf(" %.*s", first_length(cmd), cmd->name);
	puts("' -- \"$cur\"))\n\t\treturn\n\tfi");
	printf("\tif [[ $command = bench ]]; then\n"
	       "\t\tif [[ $COMP_CWORD -eq 2 ]]; then\n\t\t\tCOMPREPLY=($(compgen -W '");
	print_benchmarks();
	puts("' -- \"$cur\"))\n\t\t\treturn\n\t\tfi\n"
	     "\t\tcommand=\"bench ${COMP_WORDS[2]}\" at=3\n\tfi");
	puts("\tfor ((i = at; i < COMP_CWORD; i++)); do\n"
	     "\t\t[[ ${COMP_WORDS[i]} = -- ]] || continue\n"
	     "\t\tif [[ $((i + 1)) -eq $COMP_CWORD ]]; then\n"
	     "\t\t\tCOMPREPLY=($(compgen -c -- \"$cur\"))\n"
	     "\t\telse\n"
	     "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	     "\t\tfi\n"
	     "\t\treturn\n"
	     "\tdone");
	puts("\tcase \"$command $prev\" in");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		each_option(cmd, bash_value);
	puts("\tesac\n"
	     "\tif [[ $values ]]; then\n"
	     "\t\tlocal before=${cur%\"${cur##*,}\"}\n"
	     "\t\tCOMPREPLY=($(compgen -P \"$before\" -W \"$values\" -- \"${cur##*,}\"))\n"
	     "\t\tcompopt -o nospace 2>/dev/null\n"
	     "\t\treturn\n"
	     "\telif [[ $files || $cur != -* ]]; then\n"
	     "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	     "\t\treturn\n"
	     "\tfi");
	puts("\tcase $command in");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		printf("\t'%s') options='", cmd->name);
		each_option(cmd, bash_name);
		puts("' ;;");
	}
	puts("\tesac\n"
	     "\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	     "}\n"
	     "complete -o filenames -F _iospan iospan");
}

/* ---- iospan completion zsh ---- */

static void zsh_option(const struct cmd *cmd, const struct opt *o)
{
	if (o->letter)
		printf("\t\t'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
	else
		printf("\t\t'--%s[", o->name);
	print_quoted(o->help, "[]");
	putchar(']');
	if (o->arg) {
		printf(":%s:", o->arg);
		if (is_path(o)) {
			printf("_files");
		} else if (o->type == OPT_SET_) {
			printf("_values -s , value");
			print_words(o);
		} else {
			printf(" ");
		}
	}
	puts("' \\");
}

static void zsh_describe(const struct cmd *cmd, const char *name, int length)
{
	printf("'%.*s:", length, name);
	print_quoted(cmd->page->summary, "");
	printf("' ");
}

static void zsh(void)
{
	puts("#compdef iospan\n# Completion of iospan for zsh, from 'iospan completion zsh'.\n"
	     "local -a commands benchmarks");
	printf("commands=('help:print the help of a command' 'bench:run a benchmark' ");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		if (!second_word(cmd))
			zsh_describe(cmd, cmd->name, first_length(cmd));
	printf(")\nbenchmarks=(");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		if (second_word(cmd))
			zsh_describe(cmd, second_word(cmd), strlen(second_word(cmd)));
	puts(")\nif ((CURRENT == 2)); then\n\t_describe command commands\n\treturn\nfi\n"
	     "shift words\n((CURRENT--))\nlocal command=$words[1]\n"
	     "if [[ $command = bench ]]; then\n"
	     "\tif ((CURRENT == 2)); then\n\t\t_describe benchmark benchmarks\n\t\treturn\n\tfi\n"
	     "\tshift words\n\t((CURRENT--))\n\tcommand=\"bench $words[1]\"\nfi\n"
	     "case $command in");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		printf("'%s')\n\t_arguments -s -S \\\n", cmd->name);
		each_option(cmd, zsh_option);
		puts("\t\t'*:file:_files'\n\t;;");
	}
	puts("esac");
}

/* ---- iospan completion fish ---- */

static void fish_condition(const struct cmd *cmd)
{
	printf("complete -c iospan -n '__fish_seen_subcommand_from %.*s", first_length(cmd),
	       cmd->name);
	if (second_word(cmd))
		printf("; and __fish_seen_subcommand_from %s", second_word(cmd));
	printf("'");
}

static void fish_option(const struct cmd *cmd, const struct opt *o)
{
	fish_condition(cmd);
	if (o->letter)
		printf(" -s %c", o->letter);
	printf(" -l %s", o->name);
	if (is_path(o)) {
		printf(" -r -F");
	} else if (o->type == OPT_SET_) {
		printf(" -x -a '");
		print_words(o);
		printf("'");
	} else if (o->arg) {
		printf(" -x");
	}
	printf(" -d '");
	print_quoted(o->help, "");
	puts("'");
}

static void fish_command(const struct cmd *cmd)
{
	const char *second = second_word(cmd);

	printf("complete -c iospan -f -n '");
	if (second) {
		printf("__fish_seen_subcommand_from bench; and not __fish_seen_subcommand_from");
		print_benchmarks();
	} else {
		printf("__fish_use_subcommand");
	}
	printf("' -a %s -d '", second ? second : cmd->name);
	print_quoted(cmd->page->summary, "");
	puts("'");
}

static void fish(void)
{
	puts("# Completion of iospan for fish, from 'iospan completion fish'.\n"
	     "complete -c iospan -f -n __fish_use_subcommand -a bench -d 'run a benchmark'");
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		fish_command(cmd);
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		each_option(cmd, fish_option);
}

static void table(void)
{
	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		each_option(cmd, table_row);
}

static const struct form {
	const char *name;
	void (*print)(void);
} *const forms[] = {
	&(const struct form){ "bash", bash },
	&(const struct form){ "zsh", zsh },
	&(const struct form){ "fish", fish },
	&(const struct form){ "table", table },
	NULL,
};

int cmd_completion(int argc, char **argv)
{
	int n = opt_parse(&completion_page, argc, argv);
	const struct form *form;

	if (n < 0)
		return n;
	if (n + 1 != argc)
		return error(-EUSAGE, "give one shell; usage: iospan completion %s",
			     completion_page.usage);
	form = words_element("shell", forms, argv[n]);
	if (!form)
		return -EUSAGE;
	form->print();
	return 0;
}
