// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the totals, averages and b_eff_io from the measured bytes and times. */
#include "bench/beff/compute.h"

#include <math.h>

#include "user/base/out-read.h"

u64 beff_scheduled_ns(const struct beff *b, unsigned units)
{
	return b->partition_seconds * SECOND * units / beff_units(b->rewrite_all);
}

u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access)
{
	return beff_scheduled_ns(b, beff_access_units(access, b->rewrite_all));
}

static void add_up_type(struct beff_partition *p, enum beff_access access, enum beff_type type)
{
	struct beff_total *t = &p->totals[access][type];
	double weighted = 0;

	t->bytes = 0;
	t->ns = t->open_ns + t->close_ns;
	for (unsigned i = 0; i < BEFF_PATTERNS; i++) {
		const struct beff_cell *c = &p->cells[access][i];

		if (beff_patterns[i].type != type)
			continue;
		t->bytes += c->bytes;
		t->ns += c->of.ns;
		if (beff_patterns[i].units)
			weighted += beff_patterns[i].units * beff_bandwidth(c->bytes, c->of.ns);
	}
	t->bandwidth = t->done ? beff_bandwidth(t->bytes, t->ns) : NAN;
	t->by_units = weighted / beff_type_units(type);
}

static u64 sync_ns(const struct beff_partition *p, enum beff_access access)
{
	u64 ns = 0;

	for (unsigned i = 0; i < BEFF_PATTERNS; i++)
		ns += p->cells[access][i].of.sync_ns;
	return ns;
}

static void compute_partition(struct beff_partition *p)
{
	double of[BEFF_ACCESSES][BEFF_TYPES];

	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
		p->bytes[a] = p->ns[a] = 0;
		p->sync_ns[a] = sync_ns(p, a);
		for (enum beff_type t = 0; t < BEFF_TYPES; t++) {
			add_up_type(p, a, t);
			of[a][t] = p->totals[a][t].bandwidth;
			p->bytes[a] += p->totals[a][t].bytes;
			p->ns[a] += p->totals[a][t].ns;
		}
		p->weighted[a] = beff_weighted(of[a]);
	}
	p->write_average = beff_write_average(of[BEFF_WRITE], of[BEFF_REWRITE][BEFF_SCATTER]);
	p->value = beff_2(p->write_average, p->weighted[BEFF_READ]);
	p->value_1 = beff_1(p->weighted);
}

u64 beff_errors(const struct beff *b)
{
	u64 errors = 0;

	for (unsigned i = 0; i < b->partitions_n; i++) {
		errors += b->partitions[i].wrong;
		for (unsigned p = 0; p < BEFF_PATTERNS; p++)
			errors += b->partitions[i].cells[BEFF_READ][p].of.errors;
	}
	return errors;
}

u64 beff_extension_errors(const struct beff *b)
{
	u64 errors = 0;

	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_extension e = 0; e < BEFF_EXTENSIONS; e++)
			for (unsigned k = 0; k < BEFF_EXTENDED; k++)
				errors += b->partitions[i].extended[e][k].of.errors;
	return errors;
}

static void compute_criteria(struct beff *b)
{
	struct beff_conduct c = {
		.mpi_io = b->engine->mpi_io,
		.seconds = b->seconds,
		.partition_seconds = b->partition_seconds,
		.shared_pointer = b->setup.shared_pointer,
		.cache_bytes = b->cache_bytes,
		.errors = beff_errors(b),
		.timed = !b->repeated,
		.rewrite_all = b->rewrite_all,
		.version_1 = b->version_1,
		.complete = b->end == BEFF_DONE,
	};

	for (unsigned i = 0; i < b->partitions_n; i++) {
		const struct beff_partition *p = &b->partitions[i];

		for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
			if (!i || p->bytes[a] < c.least_bytes[a])
				c.least_bytes[a] = p->bytes[a];
			c.scheduled_ns[a] += beff_access_scheduled_ns(b, a);
			c.used_ns[a] += p->ns[a];
		}
	}
	b->criteria_n = beff_criteria(&c, b->criteria);
	b->verdict = beff_verdict(b->criteria, b->criteria_n);
}

void beff_set_layers(struct beff_cell *c, struct out *layers)
{
	c->layers = layers;
	if (!out_get_f64(out_get(layers, "device"), "bps", &c->device_bps))
		c->device_bps = NAN;
}

void beff_forget(struct beff *b)
{
	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
			for (unsigned p = 0; p < BEFF_PATTERNS; p++)
				out_free(b->partitions[i].cells[a][p].layers);
	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_extension e = 0; e < BEFF_EXTENSIONS; e++)
			for (unsigned k = 0; k < BEFF_EXTENDED; k++)
				out_free(b->partitions[i].extended[e][k].layers);
}

double beff_value(const struct beff *b, const struct beff_partition *p)
{
	return b->version_1 ? p->value_1 : p->value;
}

void beff_compute(struct beff *b)
{
	b->value = NAN;
	b->best = 0;
	for (unsigned i = 0; i < b->partitions_n; i++) {
		struct beff_partition *p = &b->partitions[i];
		double value;

		compute_partition(p);
		value = beff_value(b, p);
		if (!isnan(value) && !(value <= b->value)) {
			b->value = value;
			b->best = i;
		}
	}
	compute_criteria(b);
}
