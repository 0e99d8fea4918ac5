// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan import: converts recordings of other tools to a trace. */
#include <stdlib.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/words.h"
#include "tools/import/import.h"

static struct import_options o;

static const struct opt opts[] = {
	OPT_STR(0, "format", &o.from, "FORMAT", "blkparse, fio, dxt or csv"),
	OPT_OUTPUT(&o.output, "the trace"),
	OPT_QUIET,
	OPT_STR(0, "layer", &o.layer, "LAYER",
		"blkparse: layer of the accesses: device, or vfs or app for the time from queue to "
		"end"),
	OPT_STR(0, "module", &o.module, "MODULE",
		"dxt: module, mpiio or posix; else mpiio if it has data"),
	OPT_FLAG(0, "usec", &o.usec, "fio: latencies are in us, as in fio 2"),
	OPT_FLAG(0, "skip-bad", &o.skip_bad, "skip lines that cannot be read, and count them"),
	OPT_END,
};

const struct opt_page import_page = {
	.command = "import",
	.usage = "--format FORMAT -o FILE [options] INPUT...",
	.summary = "convert recordings of other tools to a trace",
	.opts = opts,
	.examples = "  blkparse -i sda | iospan import --format blkparse -o sda.trace -\n"
		    "  iospan import --format fio -o job.trace job_clat.*.log\n",
};

static int check(char *const *inputs, int n)
{
	static const char *const layers[] = { "device", "vfs", "app", NULL };
	static const char *const modules[] = { "mpiio", "posix", NULL };

	if (!o.from)
		return error(-EUSAGE, "--format is missing; see 'iospan import --help'");
	if (!import_find(o.from))
		return -EUSAGE;
	if (!o.output)
		return error(-EUSAGE, "--output is missing; see 'iospan import --help'");
	if (!n)
		return error(-EUSAGE, "no input; '-' is the standard input");
	if (n > IMPORT_INPUTS)
		return error(-EUSAGE, "more than %d inputs", IMPORT_INPUTS);
	if (o.layer && strcmp(o.from, "blkparse"))
		return error(-EUSAGE, "--layer is for --format blkparse");
	if (o.layer && words_index("layer", layers, o.layer) < 0)
		return -EUSAGE;
	if (o.module && strcmp(o.from, "dxt"))
		return error(-EUSAGE, "--module is for --format dxt");
	if (o.module && words_index("module", modules, o.module) < 0)
		return -EUSAGE;
	if (o.usec && strcmp(o.from, "fio"))
		return error(-EUSAGE, "--usec is for --format fio");
	return infile_check_once(inputs[0], inputs + 1);
}

int cmd_import(int argc, char **argv)
{
	char **inputs = need(calloc(argc + 1, sizeof(*inputs)));
	int n = opt_operands(&import_page, argc, argv, inputs), ret = n < 0 ? n : check(inputs, n);

	if (!ret)
		ret = import_run(&o, inputs, n, NULL);
	free(inputs);
	return ret;
}
