// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/put-programs.h"

static const struct family missed = { FAMILY_COUNTER, "iospan_missed_runs", NULL,
				      "Runs of BPF programs that the kernel skipped." };
static const struct family runs = { FAMILY_COUNTER, "iospan_bpf_runs", NULL,
				    "Runs of BPF programs while BPF statistics were on." };
static const struct family times = { FAMILY_COUNTER, "iospan_bpf_run_seconds", "seconds",
				     "Time of these runs." };
static const struct family losses = {
	FAMILY_COUNTER, "iospan_losses", NULL,
	"Accesses and events that iospan missed in full or in part, by kind; 0: none."
};
static const struct family layers = { FAMILY_GAUGE, "iospan_layer_measured", NULL,
				      "1: the layer is measured; 0: --cpu-limit ended it." };
static const struct family limit = { FAMILY_GAUGE, "iospan_cpu_limit_ratio", "ratio",
				     "Limit of the CPU time of the vfs layer's BPF programs." };

static void put_family(struct openmetrics *o, const struct family *f, const struct measurement *m)
{
	char text[40];

	family_begin(o, f);
	for (unsigned i = 0; i < m->programs_n; i++) {
		const struct program_runs *r = &m->programs[i];

		snprintf(text, sizeof(text), "program=\"%s\"", r->program);
		if (f == &times)
			sample_seconds(o, text, "", r->run_ns);
		else
			sample_count(o, text, "", f == &runs ? r->runs : r->missed);
	}
}

void put_programs(struct openmetrics *o, const struct measurement *m)
{
	put_family(o, &missed, m);
	if (!m->bpf_stats)
		return;
	put_family(o, &runs, m);
	put_family(o, &times, m);
}

void put_losses(struct openmetrics *o, unsigned selected, const struct measurement *m)
{
	char text[80];

	family_begin(o, &losses);
	for (const struct loss *l = m->losses; l->name; l++) {
		enum layer layer = loss_layer(l->name);

		if (loss_is_of_recordings(l->name) || (layer < LAYERS && !(selected & 1 << layer)))
			continue;
		snprintf(text, sizeof(text),
			 layer < LAYERS ? "kind=\"%s\",layer=\"%s\"" : "kind=\"%s\"", l->name,
			 layer_names[layer]);
		sample_count(o, text, "", l->n);
	}
}

void put_layers(struct openmetrics *o, unsigned selected, unsigned measured, double cpu_limit)
{
	char text[40];

	family_begin(o, &layers);
	for (int l = LAYER_VFS; l < LAYERS; l++) {
		if (!(selected & 1 << l))
			continue;
		snprintf(text, sizeof(text), "layer=\"%s\"", layer_names[l]);
		sample_count(o, text, "", !!(measured & 1 << l));
	}
	if (!cpu_limit)
		return;
	family_begin(o, &limit);
	sample_ratio(o, "", cpu_limit);
}
