// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan version: prints the version of iospan and the features of this kernel. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "user/base/opt-common.h"
#include "user/base/out-print.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/host/cgroup.h"
#include "user/kernel/feature.h"
#include "user/base/out.h"
#include "user/base/table.h"

static struct version_opts {
	bool json;
} o;

static const struct opt opts[] = {
	OPT_VERBOSE("the features of this kernel and machine, and the commands that work"),
	OPT_JSON(&o.json),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page version_page = {
	.command = "version",
	.usage = "[options]",
	.summary = "print the version and the features of this kernel",
	.opts = opts,
	.examples = "  iospan version -v\n",
};

/* Replacement for a library that was missing when iospan was built. */
#define LEFT_OUT "none: this build lacks the command"

/* The commands that need BPF programs. */
static const struct measuring {
	const char *command;
	bool makes_cgroup;
} measuring[] = {
	{ "stat", false },   { "top", false },	    { "run", true },
	{ "record", false }, { "exporter", false }, {},
};

/* Returns what is missing for the command here, or NULL. The caller frees the text. */
static char *missing_for(const struct measuring *command)
{
	char *missing = features_missing();
	struct cgroup own;

	if (missing || !command->makes_cgroup ||
	    (!cgroup_self(CGROUP_V2, &own) && !faccessat(AT_FDCWD, own.path, W_OK, AT_EACCESS)))
		return missing;
	return need_text("%s",
			 "a cgroup that this user may write: --parent, root, or "
			 "CAP_DAC_OVERRIDE");
}

/* Prints a table such as:
 *
 * COMMAND  WORKS  MISSING
 * stat     yes    -
 * run      no     a cgroup that this user may write: ... */
static void print_commands(void)
{
	struct table *t = table_new(3);

	table_cell(t, "COMMAND");
	table_cell(t, "WORKS");
	table_cell(t, "MISSING");
	table_end_row(t);
	for (const struct measuring *m = measuring; m->command; m++) {
		char *missing = missing_for(m);

		table_cell(t, "%s", m->command);
		table_cell(t, "%s", missing ? "no" : "yes");
		table_cell(t, "%s", missing ?: "-");
		table_end_row(t);
		free(missing);
	}
	putchar('\n');
	table_text(stdout, t, "");
	table_free(t);
}

/* Prints a table such as:
 *
 * FEATURE      PRESENT  USED FOR                              INSTEAD
 * btf          yes      the layout of the kernel's structures
 * block_io...  no       the task that submits a request       the task that issues it */
static void print_features(void)
{
	struct table *t = table_new(4);

	table_cell(t, "FEATURE");
	table_cell(t, "PRESENT");
	table_cell(t, "USED FOR");
	table_cell(t, "INSTEAD");
	table_end_row(t);
	for (const struct feature *f = features; f->name; f++) {
		bool present = feature_has(f->name);

		table_cell(t, "%s", f->name);
		table_cell(t, "%s", present ? "yes" : "no");
		table_cell(t, "%s", f->what);
		table_cell(t, "%s", present ? "-" : f->instead);
		table_end_row(t);
	}
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		if (!cmd->page->missing)
			continue;
		table_cell(t, "%s", cmd->page->missing);
		table_cell(t, "no");
		table_cell(t, "iospan %s", cmd->name);
		table_cell(t, LEFT_OUT);
		table_end_row(t);
	}
	putchar('\n');
	table_text(stdout, t, "");
	table_free(t);
}

static struct out *command_rows(void)
{
	struct out *rows = out_array();

	for (const struct measuring *m = measuring; m->command; m++) {
		struct out *row = out_object();
		char *missing = missing_for(m);

		out_str(row, "name", m->command);
		out_bool(row, "works", !missing);
		out_str(row, "missing", missing);
		out_append(rows, row);
		free(missing);
	}
	return rows;
}

static struct out *feature_rows(void)
{
	struct out *rows = out_array();

	for (const struct feature *f = features; f->name; f++) {
		struct out *row = out_object();

		out_str(row, "name", f->name);
		out_bool(row, "present", feature_has(f->name));
		out_bool(row, "required", f->required);
		out_str(row, "used_for", f->what);
		out_str(row, "fallback", f->instead);
		out_append(rows, row);
	}
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		struct out *row;

		if (!cmd->page->missing)
			continue;
		row = out_object();
		out_str(row, "name", cmd->page->missing);
		out_bool(row, "present", false);
		out_bool(row, "required", false);
		out_strf(row, "used_for", "iospan %s", cmd->name);
		out_str(row, "fallback", LEFT_OUT);
		out_append(rows, row);
	}
	return rows;
}

static void print_json(void)
{
	struct out *doc = out_object();
	struct utsname kernel = { .release = "" };

	uname(&kernel);
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "version");
	/* iospan version measures nothing, but every JSON document has this key */
	out_null(doc, "elapsed_ns");
	out_str(doc, "kernel", kernel.release);
	if (verbosity.verbose) {
		out_put(doc, "commands", command_rows());
		out_put(doc, "features", feature_rows());
	}
	out_json(stdout, doc);
	out_free(doc);
}

int cmd_version(int argc, char **argv)
{
	int ret = opt_parse(&version_page, argc, argv);

	if (ret < 0)
		return ret;
	if (ret < argc)
		return error(-EUSAGE,
			     "version takes no argument '%s'; see "
			     "'iospan version --help'",
			     argv[ret]);
	if (verbosity.verbose && !feature_has("cap_bpf"))
		warn("without CAP_BPF and CAP_PERFMON, some features cannot be tested, and show as "
		     "absent");
	if (o.json) {
		print_json();
		return 0;
	}
	printf("iospan %s\n", VERSION);
	if (verbosity.verbose) {
		print_features();
		print_commands();
	}
	return 0;
}
