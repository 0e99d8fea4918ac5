// SPDX-License-Identifier: GPL-2.0-or-later
/* The BPF programs never reset their totals, so a measurement is the difference of two totals. */
#include "bench/load/layers.h"

#include <string.h>
#include <sys/stat.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/host/disk.h"
#include "user/kernel/feature.h"
#include "user/metric/measurement.h"
#include "user/session/measured.h"

int layers_begin(struct layers *l)
{
	int ret = features_check();

	l->traced = l->grouped = !ret;
	return ret ? ret : session_begin(&l->session, NULL, CHARGE_AUTO, 0);
}

int layers_begin_if_possible(struct layers *l, const char *parent, u64 memory)
{
	l->traced = !features_check();
	if (!l->traced)
		warn("only the app layer is measured");
	l->grouped = l->traced || memory;
	return l->grouped ? session_begin(&l->session, parent, CHARGE_AUTO, memory) : 0;
}

void layers_set_target(struct layers *l, const char *target)
{
	struct disk disk;
	struct stat st;

	if (disk_by_path(&this_host, target, &disk))
		return;
	memcpy(l->disk, disk.name, sizeof(l->disk));
	l->is_disk = !stat(target, &st) && S_ISBLK(st.st_mode);
}

/* Returns the sum of the disk l->disk. Returns NULL if the disk is not stacked, or if @m lacks
 * it. */
static const struct sum *stacked_sum(const struct layers *l, const struct measurement *m)
{
	for (unsigned i = 0; i < m->disks_n; i++)
		if (m->disks[i].stacked && !strcmp(m->disks[i].name, l->disk))
			return &m->disks[i].all;
	return NULL;
}

static int attach_tracer(struct layers *l)
{
	l->options = (struct tracer_options){
		.layers = 1 << LAYER_VFS | 1 << LAYER_DEVICE,
	};
	measured_features(&l->options);
	session_target(&l->session, &l->options);
	return tracer_new(&l->options, &l->tracer);
}

int layers_attach(struct layers *l)
{
	int ret;

	measurement_free(l->before);
	measurement_free(l->m);
	l->before = l->m = NULL;
	ret = l->tracer ? tracer_measure_before(l->tracer, &l->before) : attach_tracer(l);
	l->start_ns = now_ns();
	return ret;
}

void layers_poll(struct layers *l)
{
	tracer_poll(l->tracer);
}

int layers_measure(struct layers *l)
{
	int ret;

	tracer_poll(l->tracer);
	ret = tracer_measure(l->tracer, l->start_ns, &l->m);
	l->is_stacked |= !ret && stacked_sum(l, l->m);
	return ret;
}

static const struct sum *sum_of(const struct layers *l, const struct measurement *m, int layer)
{
	bool of_disk = layer == LAYER_DEVICE && l->is_disk && l->is_stacked;

	return of_disk ? stacked_sum(l, m) : &m->layers[layer];
}

struct sum layers_sum(const struct layers *l, int layer)
{
	const struct sum *before = l->before ? sum_of(l, l->before, layer) : NULL;
	struct sum sum = *sum_of(l, l->m, layer);

	if (before)
		sum_take_away(&sum, before);
	return sum;
}

struct out *sums_json(const struct sum *const of[LAYERS])
{
	struct out *o = out_object();

	for (int layer = 0; layer < LAYERS; layer++)
		out_put(o, layer_names[layer], of[layer] ? sum_json(of[layer]) : NULL);
	return o;
}

struct out *layers_last_json(const struct layers *l, const struct sum *app)
{
	const struct sum *of[LAYERS] = { [LAYER_APP] = app };
	struct sum below[LAYERS];

	for (int layer = LAYER_VFS; l && layer <= LAYER_DEVICE; layer++) {
		below[layer] = layers_sum(l, layer);
		of[layer] = &below[layer];
	}
	return sums_json(of);
}

int layers_end(struct layers *l)
{
	int left = l->grouped ? session_end(&l->session) : 0;

	tracer_free(l->tracer);
	measurement_free(l->before);
	measurement_free(l->m);
	return left < 0 ? left : 0;
}
