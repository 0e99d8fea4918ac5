// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "bench/model/model.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/metric/metric.h"

struct out *sample_json(const struct sample *p)
{
	struct out *o = out_object();

	out_put(o, "workload", workload_json(&p->at));
	out_str(o, "engine", point_engines[p->ring]);
	out_f64(o, KEY_BANDWIDTH, p->bandwidth);
	out_f64(o, "half_width_fraction", p->half_width);
	out_f64(o, "iops", p->iops);
	out_f64(o, KEY_LATENCY_MEAN, p->latency_mean_ns);
	out_f64(o, "size_cv", p->size_cv);
	out_bool(o, "steady", p->steady);
	out_str(o, "probe", probe_words[p->probe]);
	out_bool(o, "measured_again", p->again);
	out_u64(o, "measured_ns", p->measured_ns);
	out_f64(o, "others_cpu_fraction", p->others);
	out_share(o, "layers", p->layers);
	return o;
}

double sample_half(const struct sample *p)
{
	if (isnan(p->half_width))
		return SAMPLE_UNKNOWN;
	return p->steady ? p->half_width : fmax(p->half_width, HALF_NOT_STEADY);
}

void samples_replace(struct samples *all, const struct sample *p)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct sample *old = all->list[i];

		if (old->ring != p->ring || memcmp(&old->at, &p->at, sizeof(p->at)) != 0)
			continue;
		out_free(old->layers);
		*old = *p;
	}
}

const struct sample *samples_add(struct samples *all, const struct sample *p)
{
	struct sample *own = need(malloc(sizeof(*own)));

	*own = *p;
	all->list = need(reallocarray(all->list, all->n + 1, sizeof(*all->list)));
	all->list[all->n++] = own;
	return own;
}

const struct sample *samples_find(const struct samples *all, const struct workload *w, bool ring)
{
	for (unsigned i = 0; i < all->n; i++)
		if (all->list[i]->ring == ring && !memcmp(&all->list[i]->at, w, sizeof(*w)))
			return all->list[i];
	return NULL;
}

void samples_free(struct samples *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		out_free(all->list[i]->layers);
		free(all->list[i]);
	}
	free(all->list);
	*all = (struct samples){};
}

static bool sample_read(const struct out *o, struct sample *p)
{
	const struct out *at = out_get(o, "workload"), *layers = out_get(o, "layers");
	const char *engine = out_get_str(o, "engine");

	*p = (struct sample){ .half_width = NAN, .size_cv = NAN, .others = NAN };
	if (!at || !layers || !engine || workload_read(at, &p->at) != PARAMETERS ||
	    !out_get_f64(o, KEY_BANDWIDTH, &p->bandwidth) || !out_get_f64(o, "iops", &p->iops) ||
	    !out_get_f64(o, KEY_LATENCY_MEAN, &p->latency_mean_ns) ||
	    !out_get_u64(o, "measured_ns", &p->measured_ns) || !(p->bandwidth > 0))
		return false;
	out_get_f64(o, "half_width_fraction", &p->half_width);
	out_get_f64(o, "size_cv", &p->size_cv);
	out_get_f64(o, "others_cpu_fraction", &p->others);
	p->steady = out_is_true(o, "steady");
	p->probe = probe_of(out_get_str(o, "probe"));
	p->again = out_is_true(o, "measured_again");
	p->ring = !strcmp(engine, point_engines[true]);
	p->layers = out_keep(layers);
	return true;
}

static void read_node(void *arg, const char *key, const struct out *node)
{
	samples_read(arg, node);
}

void samples_read(struct samples *all, const struct out *node)
{
	struct sample p;

	if (!out_get(node, "workload"))
		out_each(node, read_node, all);
	else if (sample_read(node, &p) && samples_find(all, &p.at, p.ring))
		out_free(p.layers);
	else if (p.layers)
		samples_add(all, &p);
}
