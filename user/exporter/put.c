// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes metrics that do not count accesses, for Prometheus: the time in which tasks waited for
 * I/O, the losses of the measurement, and the CPU time and memory of iospan. */
#include "user/exporter/put.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- time in which tasks waited for I/O ---- */

static const struct waited {
	struct family family;
	/* .ns: offset of a time in struct pressure. .known: offset of the bool that is true if this
	 * time is known. */
	size_t ns, known;
} machine_families[] = {
	{ { FAMILY_COUNTER, "iospan_psi_some_seconds", "seconds",
	    "PSI: time since boot in which at least one task of the machine waited for I/O." },
	  offsetof(struct pressure, some_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_psi_full_seconds", "seconds",
	    "PSI: time since boot in which at least one task waited for I/O and no "
	    "task of the machine ran." },
	  offsetof(struct pressure, full_ns),
	  offsetof(struct pressure, has_psi) },
}, group_families[] = {
	{ { FAMILY_COUNTER, "iospan_cgroup_psi_some_seconds", "seconds",
	    "PSI: time since the cgroup was made in which at least one task of "
	    "it or of those below it waited for I/O." },
	  offsetof(struct pressure, some_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_cgroup_psi_full_seconds", "seconds",
	    "PSI: time since the cgroup was made in which at least one task of "
	    "it or of those below it waited for I/O and none of them ran." },
	  offsetof(struct pressure, full_ns),
	  offsetof(struct pressure, has_psi) },
	{ { FAMILY_COUNTER, "iospan_cgroup_dirty_throttled_seconds", "seconds",
	    "Time in which dirty throttling paused at least one task of a "
	    "cgroup and those below it." },
	  offsetof(struct pressure, dirty_ns),
	  offsetof(struct pressure, has_dirty) },
};
static const struct family wait_span = { FAMILY_COUNTER, "iospan_cgroup_wait_span_seconds",
					 "seconds",
					 "W: time with at least one read, write or sync call of a "
					 "cgroup and those below it in flight." };
#define FAMILIES(list) (sizeof(list) / sizeof(*(list)))

static void put_one(struct openmetrics *o, const struct waited *w, const char *labels,
		    const struct pressure *p)
{
	if (*(const bool *)((const char *)p + w->known))
		sample_seconds(o, labels, "", *(const u64 *)((const char *)p + w->ns));
}

void put_waiting(struct openmetrics *o, const struct exported_groups *groups,
		 const struct pressure *machine)
{
	for (size_t i = 0; i < FAMILIES(machine_families); i++) {
		family_begin(o, &machine_families[i].family);
		put_one(o, &machine_families[i], "", machine);
	}
	for (size_t i = 0; i < FAMILIES(group_families); i++) {
		family_begin(o, &group_families[i].family);
		for (size_t n = 0; n < groups->n; n++)
			if (!groups->all[n].folded)
				put_one(o, &group_families[i], groups->all[n].labels,
					&groups->all[n].pressure);
	}
	family_begin(o, &wait_span);
	for (size_t n = 0; n < groups->n; n++)
		if (!groups->all[n].folded && groups->all[n].wait_ns)
			sample_seconds(o, groups->all[n].labels, "layer=\"vfs\"",
				       groups->all[n].wait_ns);
}

unsigned waiting_series(const struct exported_group *g)
{
	return 2 * g->pressure.has_psi + g->pressure.has_dirty + (g->wait_ns > 0);
}

/* ---- the measurement itself ---- */

static const struct family missed = {
	FAMILY_COUNTER, "iospan_missed_runs", NULL,
	"Runs of BPF programs that the kernel skipped, by program and layer. "
	"The sum is iospan_losses_total of the kind missed_runs."
};
static const struct family runs = {
	FAMILY_COUNTER, "iospan_bpf_runs", NULL,
	"Runs of BPF programs while BPF statistics were on, by program and layer."
};
static const struct family times = {
	FAMILY_COUNTER, "iospan_bpf_run_seconds", "seconds",
	"Run time of BPF programs by the clock while BPF statistics were on, by "
	"program and layer. --cpu-limit limits the sum of the layer vfs."
};
static const struct family losses = {
	FAMILY_COUNTER, "iospan_losses", NULL,
	"Accesses and events that iospan missed in full or in part since its start, by kind and "
	"layer; 0: none. Compare them with iospan_cgroup_accesses_total of the cgroup /."
};
static const struct family other_accesses = {
	FAMILY_COUNTER, "iospan_other_accesses", NULL,
	"Reads and writes of cgroups without series of their own, which are beyond --max-groups or "
	"nested more than 16 deep. The series of their parent cgroups include them. "
	"It also has the accesses of the loss no_group_cell. Of the series of cgroups, only those "
	"of / include these."
};
static const struct family other_bytes = { FAMILY_COUNTER, "iospan_other_bytes", "bytes",
					   "Bytes of the reads and writes in "
					   "iospan_other_accesses_total." };
static const struct family layers = { FAMILY_GAUGE, "iospan_layer_measured", NULL,
				      "1: the layer is measured; 0: --cpu-limit ended it." };
static const struct family limit = {
	FAMILY_GAUGE, "iospan_cpu_limit_ratio", "ratio",
	"Limit of the run time of the BPF programs of the layer vfs, as a "
	"fraction of one CPU."
};

static void put_family(struct openmetrics *o, const struct family *f, const struct measurement *m)
{
	char text[80];

	family_begin(o, f);
	for (unsigned i = 0; i < m->programs_n; i++) {
		const struct program_runs *r = &m->programs[i];

		snprintf(text, sizeof(text),
			 r->layer < LAYERS ? "program=\"%s\",layer=\"%s\"" : "program=\"%s\"",
			 r->program, layer_names[r->layer]);
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

void put_others(struct openmetrics *o, unsigned layers, const struct group_sum *others)
{
	const struct family *const families[] = { &other_accesses, &other_bytes };
	char text[40];

	for (int f = 0; f < 2; f++) {
		family_begin(o, families[f]);
		for (int l = LAYER_VFS; l < LAYERS; l++) {
			const struct row *r = &group_layer(others, l)->row;

			if (!(layers & 1 << l))
				continue;
			snprintf(text, sizeof(text), "layer=\"%s\"", layer_names[l]);
			sample_count(o, text, "", f ? r->bytes : r->accesses);
		}
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

/* ---- this process ---- */

static const struct family processor = { FAMILY_COUNTER, "process_cpu_seconds", "seconds",
					 "Processor time of this program." };
static const struct family resident = { FAMILY_GAUGE, "process_resident_memory_bytes", "bytes",
					"Memory of this program." };

static u64 timeval_ns(struct timeval t)
{
	return t.tv_sec * 1000000000ULL + t.tv_usec * 1000ULL;
}

void put_process(struct openmetrics *o)
{
	unsigned long long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	family_begin(o, &processor);
	sample_seconds(o, "", "", timeval_ns(use.ru_utime) + timeval_ns(use.ru_stime));
	if (f && fscanf(f, "%llu %llu", &size, &pages) == 2) {
		family_begin(o, &resident);
		sample_count(o, "", "", pages * sysconf(_SC_PAGESIZE));
	}
	if (f)
		fclose(f);
}
