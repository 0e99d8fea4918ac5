// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/validate.h"

#include "bench/scale/scale-result.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/progress.h"

struct measuring {
	struct rig rig;
	u64 until_ns;
	unsigned n, of;
};

static void tell(const struct measuring *m, const struct workload *w)
{
	char text[WORKLOAD_TEXT];

	progress("%u of %u: %s", m->n + 1, m->of, workload_text(text, w));
}

/* What is left of the time is for all that are to come alike. */
static int measure(void *arg, const struct workload *w, double *rate)
{
	struct measuring *m = arg;
	struct sample sample = { .at = *w };
	u64 now = now_ns(), left = m->until_ns > now ? m->until_ns - now : 0;
	int ret;

	if (m->until_ns && !left)
		return -ETIME;
	tell(m, w);
	ret = rig_measure(&m->rig, left / (m->of - m->n), &sample);
	if (ret)
		return ret;
	*rate = sample.bandwidth;
	out_free(sample.layers);
	m->n++;
	return 0;
}

static int run(struct validation *v, struct scale_result *of, uint64_t budget_ns)
{
	struct measuring m = { .rig = { .signals = -1, .target.guard.fd = -1 },
			       .of = PASSES * v->n };
	u64 bytes = of->evaluation.axes[PARAM_UNIQUE_BYTES].max, start;
	char text[NUM_TEXT];
	int ret = rig_open(&m.rig, &of->how, bytes, 0), left;

	start = now_ns();
	m.until_ns = m.rig.deadline_ns = budget_ns ? start + budget_ns : 0;
	if (!ret)
		ret = validation_run(v, measure, &m);
	v->elapsed_ns = now_ns() - start;
	progress_end();
	if (ret == -ETIME)
		warn("the budget of %s is over after %u of %u measurements; use a longer --budget",
		     num_time_arg(text, budget_ns), m.n, m.of);
	left = rig_close(&m.rig);
	return ret ?: left;
}

int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns)
{
	struct scale_result of = { .how = *how };
	int ret = scale_take_up(&of, v->m->path, v->m->doc);

	of.how.seed = v->seed;
	if (!ret)
		ret = run(v, &of, budget_ns);
	evaluation_release(&of.evaluation);
	return ret;
}
