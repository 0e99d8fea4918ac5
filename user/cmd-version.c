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
#include "user/result/view.h"

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

/* The commands that need BPF programs. */
static const struct measuring {
	const char *command;
	bool makes_cgroup;
} measuring[] = {
	{ "stat", false },   { "top", false },	    { "run", true },
	{ "record", false }, { "exporter", false }, {},
};

/* Returns a text that says what this machine lacks for the command. Returns NULL if nothing is
 * missing. The caller frees the text. */
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

static void add_feature(struct out *rows, const char *name, bool present, bool required,
			const char *what, const char *fallback)
{
	struct out *row = out_object();

	out_str(row, "name", name);
	out_bool(row, "present", present);
	out_bool(row, "required", required);
	out_str(row, "used_for", what);
	/* the text output shows a fallback only if the feature is missing */
	out_str(row, "fallback", present && !o.json ? NULL : fallback);
	out_append(rows, row);
}

static struct out *feature_rows(void)
{
	struct out *rows = out_array();

	for (const struct feature *f = features; f->name; f++)
		add_feature(rows, f->name, feature_has(f->name), f->required, f->what, f->instead);
	for (const struct cmd *cmd = cmds; cmd->name; cmd++) {
		char *what = need_text("iospan %s", cmd->name);

		if (cmd->page->missing)
			add_feature(rows, cmd->page->missing, false, false, what,
				    "none: this build lacks the command");
		free(what);
	}
	return rows;
}

static const struct view feature_view[] = {
	VIEW("features.*", .left = 4, .is_dense = true,
	     COLUMN_LIST(COLUMN("name", .title = "FEATURE"),
			 COLUMN("present", .title = "PRESENT", .off = "no"),
			 COLUMN("used_for", .title = "USED FOR"),
			 COLUMN("fallback", .title = "INSTEAD"))),
	{},
};
static const struct view command_view[] = {
	VIEW("commands.*", .left = 3, .is_dense = true,
	     COLUMN_LIST(COLUMN("name", .title = "COMMAND"),
			 COLUMN("works", .title = "WORKS", .off = "no"),
			 COLUMN("missing", .title = "MISSING"))),
	{},
};

static struct out *document(void)
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
	return doc;
}

static void print_text(const struct out *doc)
{
	const struct place at = { .node = doc };

	printf("iospan %s\n", VERSION);
	if (!verbosity.verbose)
		return;
	putchar('\n');
	view_text(stdout, &at, feature_view);
	putchar('\n');
	view_text(stdout, &at, command_view);
}

int cmd_version(int argc, char **argv)
{
	int ret = opt_parse(&version_page, argc, argv);
	struct out *doc;

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
	doc = document();
	if (o.json)
		out_json(stdout, doc);
	else
		print_text(doc);
	out_free(doc);
	return 0;
}
