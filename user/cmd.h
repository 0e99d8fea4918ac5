/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of iospan.
 *
 * To add the command foo: write <folder>/cmd-foo.c with cmd_foo() and its option page,
 * declare both in this header, add a row to cmds[] in main.c, and write
 * Documentation/iospan-foo.rst and a test below tests/. tests/commands/pages.sh checks that nothing
 * is missing. */
#ifndef IOSPAN_CMD_H
#define IOSPAN_CMD_H

#include "user/base/opt.h"

struct cmd {
	const char *name;
	/* Runs the command. Returns 0 or, after it has printed an error, -EUSAGE or another
	 * negative errno. Returns OPT_HELPED if it printed its help. A positive result becomes the
	 * exit status of iospan. For example, iospan run returns the exit status of the command
	 * that it measured. If the command did not fail, main() flushes stdout. If the flush fails,
	 * iospan exits with status 1. */
	int (*fn)(int argc, char **argv);
	const struct opt_page *page;
};

/* The table of all commands, sorted by name. The last element has name NULL. */
extern const struct cmd cmds[];

extern const struct opt_page beff_page, characterize_page, compare_page, completion_page;
extern const struct opt_page correlate_page;
extern const struct opt_page export_page, exporter_page, import_page, load_page, neighbours_page,
	predict_page, record_page;
extern const struct opt_page replay_page, report_page, run_page, scale_page, sets_page, stat_page;
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
int cmd_neighbours(int argc, char **argv);
int cmd_predict(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_scale(int argc, char **argv);
int cmd_sets(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_version(int argc, char **argv);

#endif
