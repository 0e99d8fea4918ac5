// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares runs with different hints, in tables like tables 2 and 3 of the b_eff_io paper. */
#include "user/base/num.h"
#include "bench/beff/tables.h"

#include "user/base/out.h"
#include "user/base/table.h"

static const char *hints_name(const struct beff *b)
{
	return b->hints.path ? b->hints.path : "none";
}

static void hints_titles(struct table *t)
{
	table_cell(t, "access");
	table_cell(t, "hints");
	for (enum beff_type type = 0; type < BEFF_TYPES; type++)
		table_cell(t, "%s", beff_type_names[type]);
	table_cell(t, "weighted");
	table_end_row(t);
}

static void hints_row(struct table *t, const char *access, const char *hints,
		      const double type[BEFF_TYPES])
{
	table_cell(t, "%s", access);
	table_cell(t, "%s", hints);
	for (enum beff_type i = 0; i < BEFF_TYPES; i++)
		beff_mib_cell(t, type[i]);
	beff_mib_cell(t, beff_weighted(type));
	table_end_row(t);
}

static double type_bandwidth(const struct beff_partition *p, enum beff_access a,
			     enum beff_type type)
{
	return p->totals[a][type].bandwidth;
}

static void access_row(struct table *t, const struct beff *b, unsigned i, enum beff_access a)
{
	double type[BEFF_TYPES];

	for (enum beff_type k = 0; k < BEFF_TYPES; k++)
		type[k] = type_bandwidth(&b->partitions[i], a, k);
	hints_row(t, beff_access_names[a], hints_name(b), type);
}

/* Adds a row with the average over the access methods. Write and rewrite together have the weight
 * of read (table 2 of the paper). */
static void average_row(struct table *t, const struct beff *b, unsigned i)
{
	const struct beff_partition *p = &b->partitions[i];
	double type[BEFF_TYPES];

	for (enum beff_type k = 0; k < BEFF_TYPES; k++)
		type[k] = ((type_bandwidth(p, BEFF_WRITE, k) + type_bandwidth(p, BEFF_REWRITE, k)) /
				   2 +
			   type_bandwidth(p, BEFF_READ, k)) /
			2;
	hints_row(t, "average", hints_name(b), type);
}

static void partition_table(FILE *f, const struct beff *const *sets, unsigned n, unsigned i)
{
	struct table *t = table_new(2);

	fprintf(f, "\nMiB/s of %u process%s:\n", sets[0]->partitions[i].shape.ranks,
		num_word(sets[0]->partitions[i].shape.ranks, "", "es"));
	hints_titles(t);
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		for (unsigned k = 0; k < n; k++)
			access_row(t, sets[k], i, a);
	for (unsigned k = 0; k < n; k++)
		average_row(t, sets[k], i);
	table_text(f, t, "  ");
	table_free(t);
}

void beff_tables(FILE *f, const struct beff *const *sets, unsigned n)
{
	struct table *t = table_new(1);

	for (unsigned i = 0; i < sets[0]->partitions_n; i++)
		partition_table(f, sets, n, i);
	table_cell(t, "hints");
	table_cell(t, "b_eff_io");
	table_end_row(t);
	for (unsigned k = 0; k < n; k++) {
		table_cell(t, "%s", hints_name(sets[k]));
		beff_mib_cell(t, sets[k]->value);
		table_end_row(t);
	}
	fprintf(f, "\n");
	table_text(f, t, "  ");
	table_free(t);
}
