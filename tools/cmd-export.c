// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan export: writes a trace in a format of other tools. */
#include <stdlib.h>

#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "tools/export/export.h"

static struct export_opts {
	const char *to, *output;
} o;

static const struct opt opts[] = {
	OPT_STR(0, "format", &o.to, "FORMAT", "csv, jsonl or chrome"),
	OPT_OUTPUT(&o.output, "the accesses"),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page export_page = {
	.command = "export",
	.usage = "--format FORMAT [-o FILE] TRACE...",
	.summary = "write a trace in a format of other tools",
	.opts = opts,
	.examples = "  iospan export --format jsonl job.trace | jq .bytes\n"
		    "  iospan export --format chrome -o job.json job.trace\n",
};

static int check(int traces)
{
	if (!o.to)
		return error(-EUSAGE, "--format is missing; see 'iospan export --help'");
	if (!export_find(o.to))
		return -EUSAGE;
	if (!traces)
		return error(-EUSAGE, "no trace given; see 'iospan export --help'");
	return 0;
}

int cmd_export(int argc, char **argv)
{
	char **paths = need(calloc(argc + 1, sizeof(*paths)));
	int n = opt_operands(&export_page, argc, argv, paths), ret = n < 0 ? n : check(n);

	if (!ret)
		ret = export_run(export_find(o.to), o.output, paths, n);
	free(paths);
	return ret;
}
