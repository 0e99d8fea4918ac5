// SPDX-License-Identifier: GPL-2.0-or-later
/* Cases that are shell commands, measured as iospan run does, or results of earlier commands. */
#include "bench/sets/sets.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/need.h"
#include "user/base/out-read.h"
#include "user/base/signals.h"
#include "user/session/measured.h"
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

static bool is_measurement(const struct out *doc)
{
	static const char *const commands[] = { "run", "report", "bench load" };
	const char *command = out_get_str(doc, "command");

	for (size_t i = 0; command && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(command, commands[i]))
			return true;
	return false;
}

/* Returns the value of metric @m in the result @doc; NaN: the layer of the metric has no
 * accesses. */
static double value_of(const struct out *doc, enum sets_metric m)
{
	static const char *const layers
		[LAYERS] = { [LAYER_APP] = "app", [LAYER_VFS] = "vfs", [LAYER_DEVICE] = "device" };
	const struct sets_metric_row *row = &sets_metrics[m];
	const struct out *layer = out_get(out_get(doc, "layers"), layers[row->layer]);
	u64 accesses = 0;
	double value;

	out_get_u64(layer, "accesses", &accesses);
	return accesses && out_get_f64(layer, row->of, &value) ? value : NAN;
}

static void find_loss(void *lost, const char *key, const struct out *of)
{
	u64 n;

	if (out_u64_of(of, &n) && n)
		*(bool *)lost = true;
}

static int read_run(struct sets_case *c, const char *path)
{
	struct sets_run run = { .others = NAN };
	struct out *doc = out_read(path);
	bool good = is_measurement(doc) && out_get_u64(doc, "elapsed_ns", &run.elapsed_ns);

	run.value[SETS_TIME] = run.elapsed_ns;
	out_each(out_get(doc, "losses"), find_loss, &run.lost);
	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++)
		run.value[m] = value_of(doc, m);
	if (doc && !good)
		error(-EINVAL, "'%s' is no result of run, report or bench load with --json", path);
	out_free(doc);
	if (!good)
		return -EINVAL;
	run.file = need(strdup(path));
	c->runs = need(reallocarray(c->runs, c->runs_n + 1, sizeof(*c->runs)));
	c->runs[c->runs_n++] = run;
	return 0;
}

int sets_read_results(struct sets *s, char *const *operands)
{
	struct sets_experiment *e = sets_add(s, SETS_RESULTS);
	int ret = 0;

	for (; *operands && !ret; operands++) {
		struct sets_case *c = sets_add_case(e, need(strdup(*operands)));
		char *copy = need(strdup(*operands)), *rest = copy, *path;

		while (!ret && (path = strsep(&rest, ",")))
			ret = read_run(c, path);
		free(copy);
	}
	s->complete = !ret;
	return ret;
}
