// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the totals, averages, criteria and b_eff_io from the measured bytes and times. A
 * partition is a group of processes. A pattern repeats I/O calls with one chunk size. A node is a
 * machine. */
#include "bench/beff/beff.h"

#include <math.h>
#include <string.h>

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
	beff_criteria(b);
}

#define LEAST_SECONDS 1800  /* minimum time for each partition in revision 2.1 */
#define LEAST_SECONDS_1 900 /* minimum time for each partition in version 1.x (paper, section 3) */
#define PAPER_SECONDS 1800  /* minimum time for all partitions together (paper, section 6) */
/* minimum time for all partitions together, if all pattern types are rewritten */
#define REWRITE_SECONDS 2700
/* In each partition, each access method should transfer at least CACHES times the bytes that the
 * page caches of all nodes hold. Then 95 % of the data are on disk (b_eff_io paper, section 5). */
#define CACHES 20
#define KEPT 1.1 /* a run may last at most KEPT times its scheduled time */

double beff_bandwidth(u64 bytes, u64 ns)
{
	return bytes && ns ? bytes * 1e9 / ns : NAN;
}

double beff_weighted(const double type[BEFF_TYPES])
{
	return beff_write_average(type, type[BEFF_SCATTER]);
}

double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter)
{
	double sum = rewrite_scatter;

	for (enum beff_type t = 0; t < BEFF_TYPES; t++)
		sum += write[t];
	return sum / (BEFF_TYPES + 1);
}

double beff_2(double write_average, double read_average)
{
	return sqrt(write_average * read_average);
}

double beff_1(const double weighted[BEFF_ACCESSES])
{
	return 0.25 * weighted[BEFF_WRITE] + 0.25 * weighted[BEFF_REWRITE] +
		0.5 * weighted[BEFF_READ];
}

static void add_criterion(struct beff_criterion **next, const char *name, const char *text,
			  bool decides, double value, double limit, bool at_most)
{
	*(*next)++ = (struct beff_criterion){ name, text, decides, value, limit, at_most };
}

/* Returns the smallest number of bytes that a partition transferred by the access method
 * @access. */
static u64 least_bytes(const struct beff *b, enum beff_access access)
{
	u64 bytes = ~0ULL;

	for (unsigned i = 0; i < b->partitions_n; i++)
		if (b->partitions[i].bytes[access] < bytes)
			bytes = b->partitions[i].bytes[access];
	return bytes;
}

static u64 used_ns(const struct beff *b, enum beff_access access)
{
	u64 ns = 0;

	for (unsigned i = 0; i < b->partitions_n; i++)
		ns += b->partitions[i].ns[access];
	return ns;
}

/* Adds criteria for the durations of writing, rewriting, reading and the whole run. A duration may
 * exceed its scheduled time a little, because a pattern calls sync after its time limit. */
static void add_time_criteria(const struct beff *b, struct beff_criterion **next)
{
	static const char *const names[] = { "write_time", "rewrite_time", "read_time" };
	static const char *const texts[] = {
		"time to write, in multiples of the schedule",
		"time to rewrite, in multiples of the schedule",
		"time to read, in multiples of the schedule",
	};
	u64 scheduled = 0, used = 0;

	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
		u64 planned = beff_access_scheduled_ns(b, a) * b->partitions_n;

		add_criterion(next, names[a], texts[a], false, (double)used_ns(b, a) / planned,
			      KEPT, true);
		scheduled += planned;
		used += used_ns(b, a);
	}
	add_criterion(next, "time", "total time, in multiples of the schedule", false,
		      (double)used / scheduled, KEPT, true);
}

bool beff_meets(const struct beff_criterion *c)
{
	return c->at_most ? c->value <= c->limit : c->value >= c->limit;
}

const char *const beff_verdict_names[BEFF_VERDICTS] = {
	[BEFF_VALID] = "valid",	      [BEFF_SHORT] = "short",
	[BEFF_URING] = "uring",	      [BEFF_URING_SHORT] = "uring_short",
	[BEFF_INVALID] = "not_valid",
};

static enum beff_verdict find_verdict(const struct beff_criterion *list, unsigned n)
{
	bool by_uring = false, is_short = false;

	for (unsigned i = 0; i < n; i++) {
		if (!list[i].decides || beff_meets(&list[i]))
			continue;
		if (!strcmp(list[i].name, "mpi_io"))
			by_uring = true;
		else if (!strcmp(list[i].name, "partition_seconds"))
			is_short = true;
		else
			return BEFF_INVALID;
	}
	return by_uring	 ? is_short ? BEFF_URING_SHORT : BEFF_URING :
		is_short ? BEFF_SHORT :
			   BEFF_VALID;
}

void beff_criteria(struct beff *b)
{
	static const char *const cached[] = { "write_caches", "rewrite_caches", "read_caches" };
	static const char *const texts[] = {
		"data written, in multiples of all caches",
		"data rewritten, in multiples of all caches",
		"data read, in multiples of all caches",
	};
	struct beff_criterion *next = b->criteria;

	add_criterion(&next, "mpi_io", "I/O by MPI-IO (paper, section 2.1)", true,
		      b->engine->mpi_io, 1, false);
	add_criterion(&next, "partition_seconds", "seconds for each partition", true,
		      b->partition_seconds, b->version_1 ? LEAST_SECONDS_1 : LEAST_SECONDS, false);
	add_criterion(&next, "shared_pointer", "a shared pointer for type 1", true,
		      b->setup.shared_pointer, 1, false);
	add_criterion(&next, "errors", "chunks that were not read as written", true, beff_errors(b),
		      0, true);
	add_criterion(&next, "timed", "time limited the repetitions of patterns", true,
		      !b->repeated, 1, false);
	add_criterion(&next, "complete", "all patterns were run", true, b->end == BEFF_DONE, 1,
		      false);
	if (!b->version_1)
		add_criterion(&next, "seconds", "seconds for all partitions (paper)", false,
			      b->seconds, b->rewrite_all ? REWRITE_SECONDS : PAPER_SECONDS, false);
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		add_criterion(&next, cached[a], texts[a], false,
			      (double)least_bytes(b, a) / b->cache_bytes, CACHES, false);
	add_time_criteria(b, &next);
	b->criteria_n = next - b->criteria;
	b->verdict = find_verdict(b->criteria, b->criteria_n);
}
