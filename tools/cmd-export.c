// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan export: writes a trace in a format of other tools. */
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

int cmd_export(int argc, char **argv)
{
	int first = opt_parse(&export_page, argc, argv);
	const struct exporter *to;

	if (first < 0)
		return first;
	if (!o.to)
		return error(-EUSAGE, "--format is missing; see 'iospan export --help'");
	to = export_find(o.to);
	if (!to)
		return -EUSAGE;
	if (first == argc)
		return error(-EUSAGE, "no trace given; see 'iospan export --help'");
	return export_run(to, o.output, argv + first, argc - first);
}
