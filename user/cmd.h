/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All commands.
 *
 * To add one: write <folder>/cmd-foo.c with cmd_foo() and its option page,
 * declare both here, add the row in main.c, write Documentation/iospan-foo.rst
 * and a test below tests/. tests/commands/pages.sh checks that nothing is missing. */
#ifndef IOSPAN_CMD_H
#define IOSPAN_CMD_H

#include "user/base/opt.h"

struct cmd {
	const char *name;
	/* Returns 0, OPT_HELPED, or (run) a positive exit status to pass on; or prints an error
	 * and returns a negative errno or -EUSAGE. main() then flushes stdout. If that fails, the
	 * command has failed. */
	int (*fn)(int argc, char **argv);
	const struct opt_page *page;
};

/* In the order of their names; the end has no name. */
extern const struct cmd cmds[];

extern const struct opt_page beff_page, characterize_page, compare_page, completion_page;
extern const struct opt_page correlate_page;
extern const struct opt_page export_page, exporter_page, import_page, load_page, predict_page,
	record_page;
extern const struct opt_page report_page, run_page, scale_page, sets_page, stat_page;
extern const struct opt_page top_page, version_page;
int cmd_beff(int argc, char **argv);
int cmd_characterize(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_correlate(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_exporter(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_scale(int argc, char **argv);
int cmd_sets(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_version(int argc, char **argv);

#endif
