// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan: the table of commands, the general help, and the exit status. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "user/base/out-print.h"
#include "user/cmd.h"
#include "user/base/nearest.h"
#include "user/base/need.h"
#include "user/base/opt-help.h"
#include "user/base/err.h"
#include "user/base/page.h"
#include "user/base/table.h"
#include "user/base/signals.h"

enum status { STATUS_DONE, STATUS_FAILED, STATUS_USAGE };

const struct cmd cmds[] = {
	{ "bench beff", cmd_beff, &beff_page },
	{ "bench load", cmd_load, &load_page },
	{ "bench replay", cmd_replay, &replay_page },
	{ "bench scale", cmd_scale, &scale_page },
	{ "bench sets", cmd_sets, &sets_page },
	{ "characterize", cmd_characterize, &characterize_page },
	{ "compare", cmd_compare, &compare_page },
	{ "completion", cmd_completion, &completion_page },
	{ "correlate", cmd_correlate, &correlate_page },
	{ "export", cmd_export, &export_page },
	{ "exporter", cmd_exporter, &exporter_page },
	{ "import", cmd_import, &import_page },
	{ "neighbours", cmd_neighbours, &neighbours_page },
	{ "predict", cmd_predict, &predict_page },
	{ "record", cmd_record, &record_page },
	{ "report", cmd_report, &report_page },
	{ "run", cmd_run, &run_page },
	{ "stat", cmd_stat, &stat_page },
	{ "top", cmd_top, &top_page },
	{ "version", cmd_version, &version_page },
	{ NULL, NULL, NULL },
};

/* If @argv starts with the name of @cmd, returns the number of words in this name: 1 or 2.
 * Otherwise returns 0. */
static int words_of(const struct cmd *cmd, int argc, char **argv)
{
	size_t first = strcspn(cmd->name, " ");

	if (strncmp(cmd->name, argv[0], first) != 0 || argv[0][first])
		return 0;
	if (!cmd->name[first])
		return 1;
	return argc > 1 && strcmp(cmd->name + first + 1, argv[1]) == 0 ? 2 : 0;
}

/* If @second is NULL, returns the command of one word that is most similar to @name. Otherwise
 * returns the command of two words that is most similar to "@name @second". Returns NULL if none is
 * similar. */
static const char *similar(const char *name, const char *second)
{
	const char *names[sizeof(cmds) / sizeof(*cmds)] = { 0 }, *near;
	char *both = need_text(second ? "%s %s" : "%s", name, second);
	size_t n = 0;

	for (const struct cmd *cmd = cmds; cmd->name; cmd++)
		if (!strchr(cmd->name, ' ') == !second)
			names[n++] = cmd->name;
	near = nearest_word(names, both, strlen(both));
	free(both);
	return near;
}

static bool is_help(const char *word)
{
	return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* If commands of two words start with @name, prints an error with their second words, and returns
 * true. @second is NULL, or the second word that the user gave. */
static bool list_second_words(const char *name, const char *second)
{
	size_t len = strlen(name);
	const struct cmd *first = NULL;

	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		if (strncmp(cmd->name, name, len) != 0 || cmd->name[len] != ' ')
			continue;
		if (!first && second)
			out_line_format(stderr, "iospan: unknown command '%s %s'; ", name, second);
		if (!first)
			fprintf(stderr, "%s'%s' is one of:", second ? "" : "iospan: ", name);
		fprintf(stderr, "%s %s", first ? "," : "", cmd->name + len + 1);
		first = first ?: cmd;
	}
	if (first)
		fprintf(stderr, "; see 'iospan help'\n");
	return first;
}

/* Prints an error for the unknown command @name or, if @second is not NULL, "@name @second".
 * Suggests similar commands. */
static void unknown(const char *name, const char *second)
{
	const char *near;

	if (name[0] == '-') {
		error(-EUSAGE, "unknown option '%s'; see 'iospan --help'", name);
		return;
	}
	if (second && is_help(second))
		second = NULL;
	near = second ? similar(name, second) : NULL;
	if (near)
		error(-EUSAGE, "unknown command '%s %s'; did you mean '%s'?", name, second, near);
	if (near || list_second_words(name, second))
		return;
	near = similar(name, NULL);
	if (near)
		error(-EUSAGE, "unknown command '%s'; did you mean '%s'?", name, near);
	else
		error(-EUSAGE, "unknown command '%s'; see 'iospan --help'", name);
}

/* Returns the command that @argv names, and sets *@words to the number of words in its name. If
 * there is no such command, prints an error and returns NULL. */
static const struct cmd *find(int argc, char **argv, int *words)
{
	const char *name = argv[0];
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		*words = words_of(cmd, argc, argv);
		if (*words)
			return cmd;
	}
	unknown(name, argc > 1 && argv[1][0] != '-' ? argv[1] : NULL);
	return NULL;
}

static void list(FILE *f)
{
	struct table *t = table_new(2);

	fputs("usage: iospan COMMAND [options]\n\n"
	      "measure the span of I/O: the time with at least one access in flight\n\n"
	      "commands:\n",
	      f);
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		table_cell(t, "%s", cmd->name);
		table_cell(t, "%s", cmd->page->summary);
		table_end_row(t);
	}
	table_text(f, t, "  ");
	table_free(t);
	fputs("\n'iospan COMMAND --help' prints the options of a command\n", f);
}

/* Runs "iospan help [COMMAND]". */
static int help(int argc, char **argv)
{
	const struct cmd *cmd;
	int words;

	if (argc < 2 || (argc == 2 && is_help(argv[1]))) {
		list(stdout);
		return OPT_HELPED;
	}
	cmd = find(argc - 1, argv + 1, &words);
	if (!cmd)
		return -EUSAGE;
	if (argc > 1 + words)
		return error(-EUSAGE, "help takes one command; see 'iospan --help'");
	opt_help(stdout, cmd->page);
	return OPT_HELPED;
}

/* Returns true if "help" is the only argument of a command, as in "iospan stat help". A file of
 * this name may be meant instead. */
static bool is_only_help(int n, char **args)
{
	return n == 1 && strcmp(args[0], "help") == 0 && access(args[0], F_OK) != 0;
}

static int dispatch(int argc, char **argv)
{
	static char version[] = "version";
	const struct cmd *cmd;
	int words;

	if (argc < 2) {
		list(stderr);
		return -EUSAGE;
	}
	if (is_help(argv[1]))
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		argv[1] = version;
	cmd = find(argc - 1, argv + 1, &words);
	if (cmd && is_only_help(argc - 1 - words, argv + 1 + words)) {
		opt_help(stdout, cmd->page);
		return OPT_HELPED;
	}
	return cmd ? cmd->fn(argc - words, argv + words) : -EUSAGE;
}

/* Opens /dev/null as each standard descriptor (0, 1, 2) that is closed. Otherwise a file that is
 * opened later could get one of these numbers, and iospan would write messages or results into it.
 * Stdin is opened for writing, stdout and stderr for reading. So reading stdin or writing stdout or
 * stderr fails, as with a closed descriptor. */
static void fill_closed(void)
{
	static const int directions[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", directions[fd]);
}

/* Ends iospan after the reader of stdout, such as a pager, has exited. Normally, SIGPIPE ends
 * iospan silently, as it ends other programs. If the parent process made iospan ignore SIGPIPE
 * (@ignored), prints an error and returns STATUS_FAILED. */
static int end_unread(bool ignored)
{
	if (!ignored) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	error(-EPIPE, "cannot write to 'standard output': %s", strerror(EPIPE));
	return STATUS_FAILED;
}

int main(int argc, char **argv)
{
	bool ignored = signals_ignore();
	int ret, written;

	fill_closed();
	page_set_command(argv);
	ret = dispatch(argc, argv);
	if (ret == OPT_HELPED)
		ret = 0;
	written = ret >= 0 || ret == -EPIPE ? out_finish(stdout, "standard output") : 0;
	if (written == -EPIPE)
		return end_unread(ignored);
	if (written < 0)
		return STATUS_FAILED;
	if (ret == -EUSAGE)
		return STATUS_USAGE;
	return ret < 0 ? STATUS_FAILED : ret;
}
