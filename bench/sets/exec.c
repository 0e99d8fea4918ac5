// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs cases that are shell commands, and measures them as iospan run does. A set is an experiment
 * with cases that differ in one parameter. */
#include "bench/sets/exec.h"
#include "bench/sets/plan.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/infile.h"
#include "user/session/measured.h"
#include "user/base/signals.h"
#include "bench/sets/sets-metric.h"
#include "user/show/show-json.h"

/* A command's standard output goes to standard error, because iospan writes its report to standard
 * output. */
#define TO_STDERR "exec >&2; eval \"$1\""

static int is_command(const char *line)
{
	const char *text = line + strspn(line, " \t\n");

	return *text && *text != '#';
}

int sets_read_commands(struct sets *s, const char *path)
{
	struct sets_experiment *e = sets_add(s, SETS_COMMANDS);
	FILE *f = infile_open(path);
	char *line = NULL;
	size_t size = 0;

	if (!f)
		return -EINVAL;
	while (getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (is_command(line))
			sets_add_case(e, need_text("%s", line));
	}
	free(line);
	fclose(f);
	return e->cases_n ? 0 : error(-EINVAL, "no command in '%s'", path);
}

static void take(struct sets_run *run, const struct report *r)
{
	const struct sum *of[LAYERS] = {};

	run->evidence = out_object();
	show_evidence_json(run->evidence, r);
	for (const struct loss *loss = r->m->losses; loss->name; loss++)
		run->lost |= loss->n;
	for (int layer = 0; layer < LAYERS; layer++)
		if (report_sees(r, layer))
			of[layer] = &r->m->layers[layer];
	sets_take(run, r->m->elapsed_ns, of);
}

int sets_run_command(const struct sets_case *c, struct sets_run *run)
{
	const struct measured_opts opts = MEASURED_DEFAULTS;
	struct measured m = {};
	char *argv[] = { "/bin/sh", "-c", TO_STDERR, "sh", c->name, NULL };
	int ret = measured_prepare(&m, &opts);

	if (!ret)
		ret = measured_begin(&m, "bench sets", argv);
	/* A signal that arrives before the command starts does not reach the command. In this case,
	 * the command must not run. */
	if (!ret && signals_pending())
		ret = -EINTR;
	if (!ret)
		ret = measured_run(&m, TRACER_POLL_NS);
	/* If a signal ended the measurement, it has also ended the command. So the exit status of
	 * the command is no error. */
	if (m.report.m && m.report.asked)
		ret = -EINTR;
	else if (m.report.m && !ret)
		take(run, &m.report);
	measured_end(&m);
	return ret > 0 ? error(-EIO, "'%s' ended with status %d", c->name, ret) : ret;
}
