// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the runs of a set from results of "run", "report" and "bench load". */
#include "bench/sets/results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sets/plan.h"
#include "user/base/need.h"
#include "user/base/out-read.h"

static bool is_measurement(const struct out *doc)
{
	static const char *const commands[] = { "run", "report", "bench load" };
	const char *command = out_get_str(doc, "command");

	for (size_t i = 0; command && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(command, commands[i]))
			return true;
	return false;
}

/* Returns the value of metric @m in a result. A layer without accesses has no values. */
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
