// SPDX-License-Identifier: GPL-2.0-or-later
/* The protocol and the summary of b_eff_io as text, in the form of revision 2.1. */
#include "bench/beff/text.h"

#include <math.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "user/show/show.h"
#include "bench/beff/compute.h"

#define MIB 1048576.0

const char *const beff_deviations[] = {
	"each stamp also contains the rank and the access method",
	"the data between two stamps are random; iospan makes them before the timing starts",
	"the timing starts with the first process and ends when one process knows that all have "
	"finished; in 2.1, process 0 takes both times",
	"iospan creates the files in a directory of its own and removes them at the end of the "
	"run, "
	"not after the read",
	"iospan checks all bytes again after the last read; this time does not count",
	"iospan does not set MPI_MODE_UNIQUE_OPEN (paper, section 5)",
	NULL
};

static void print_rate(FILE *f, const char *name, double bytes_per_second)
{
	fprintf(f, "%s%s=", *name ? " " : "", name);
	if (isnan(bytes_per_second))
		fprintf(f, "- MiB/s");
	else
		fprintf(f, "%.3f MiB/s", bytes_per_second / MIB);
}

/* ---- protocol: one line per pattern, type and access method ---- */

static void bps_text(FILE *f, const struct beff_cell *c)
{
	char text[NUM_TEXT];

	for (int layer = 0; layer < LAYERS; layer++)
		fprintf(f, " %s=%s", layer_names[layer],
			num_count_text(text, layers_json_bps(c->layers, layer)));
}

/* Returns the number of @pattern among those of its type, from 0 on. */
static unsigned number_in_type(unsigned pattern)
{
	return pattern - beff_find(beff_patterns[pattern].type, BEFF_FIRST);
}

static void pattern_text(FILE *f, const struct beff *b, const struct beff_partition *p,
			 enum beff_access access, unsigned pattern)
{
	const struct beff_cell *c = &p->cells[access][pattern];
	const struct beff_pattern *of = &beff_patterns[pattern];

	fprintf(f,
		"n=%u a=%s type=%u p=%u Tp=%.3f l=%llu L=%llu r=%llu S=%.3f MiB "
		"t=%.3f=%.3f+%.3f+%.3f",
		p->shape.ranks, beff_access_names[access], (unsigned)of->type,
		number_in_type(pattern), beff_scheduled_ns(b, of->units) / 1e9,
		(unsigned long long)beff_l(&p->shape, pattern),
		(unsigned long long)beff_call(&p->shape, pattern),
		(unsigned long long)c->of.repetitions, c->bytes / MIB, c->of.ns / 1e9,
		c->of.io_ns / 1e9, c->of.barrier_ns / 1e9, c->of.sync_ns / 1e9);
	print_rate(f, "bw", beff_bandwidth(c->bytes, c->of.ns));
	fprintf(f, " BPS");
	bps_text(f, c);
	if (c->of.errors)
		fprintf(f, " %llu ERRORS", (unsigned long long)c->of.errors);
	fputc('\n', f);
}

static void type_text(FILE *f, const struct beff_partition *p, enum beff_access access,
		      enum beff_type type)
{
	const struct beff_total *t = &p->totals[access][type];

	fprintf(f, "n=%u a=%s type=%u total S=%.3f MiB t=%.3f t_op=%.6f t_cl=%.6f", p->shape.ranks,
		beff_access_names[access], (unsigned)type, t->bytes / MIB, t->ns / 1e9,
		t->open_ns / 1e9, t->close_ns / 1e9);
	print_rate(f, "wbw", t->by_units);
	if (type >= BEFF_SEGMENTED)
		fprintf(f, " Lseg=%llu", (unsigned long long)p->shape.segment);
	fprintf(f, " b_eff_io_%s_%s", beff_access_names[access], beff_type_names[type]);
	print_rate(f, "", t->bandwidth);
	fputc('\n', f);
}

static void access_text(FILE *f, const struct beff *b, const struct beff_partition *p,
			enum beff_access access)
{
	fprintf(f, "n=%u a=%s total S=%.3f MiB t=%.3f Tn=%llu", p->shape.ranks,
		beff_access_names[access], p->bytes[access] / MIB, p->ns[access] / 1e9,
		(unsigned long long)b->partition_seconds);
	print_rate(f, "bw", beff_bandwidth(p->bytes[access], p->ns[access]));
	fprintf(f, " b_eff_io_%s", beff_access_names[access]);
	print_rate(f, "", p->weighted[access]);
	fputc('\n', f);
}

void beff_protocol(FILE *f, const struct beff *b, const struct beff_partition *p,
		   enum beff_access access, enum beff_type type, unsigned pattern)
{
	if (type == BEFF_TYPES)
		access_text(f, b, p, access);
	else if (pattern == BEFF_PATTERNS)
		type_text(f, p, access, type);
	else
		pattern_text(f, b, p, access, pattern);
	fflush(f);
}

/* ---- summary of the run ---- */

void beff_mib_cell(struct table *t, double bytes_per_second)
{
	if (isnan(bytes_per_second))
		table_cell(t, "-");
	else
		table_cell(t, "%.3f", bytes_per_second / MIB);
}

static void summary_titles(struct table *t)
{
	table_cell(t, "PEs");
	table_cell(t, "chunk");
	table_cell(t, "access");
	for (enum beff_type type = 0; type < BEFF_TYPES; type++)
		table_cell(t, "%s", beff_type_names[type]);
	table_end_row(t);
}

static double pattern_bandwidth(const struct beff_partition *p, enum beff_access access,
				enum beff_type type, enum beff_chunk chunk)
{
	unsigned pattern = beff_find(type, chunk);
	const struct beff_cell *c = &p->cells[access][pattern];

	return pattern == BEFF_PATTERNS ? NAN : beff_bandwidth(c->bytes, c->of.ns);
}

/* Adds a row per access method with the bandwidths of @chunk. BEFF_CHUNKS: the totals of each
 * type. */
static void summary_rows(struct table *t, const struct beff_partition *p, enum beff_chunk chunk)
{
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
		table_cell(t, "%u", p->shape.ranks);
		table_cell(t, "%s", chunk == BEFF_CHUNKS ? "total" : beff_chunk_names[chunk]);
		table_cell(t, "%s", beff_access_names[a]);
		for (enum beff_type type = 0; type < BEFF_TYPES; type++)
			beff_mib_cell(t,
				      chunk == BEFF_CHUNKS ? p->totals[a][type].bandwidth :
							     pattern_bandwidth(p, a, type, chunk));
		table_end_row(t);
	}
}

static void averages_text(FILE *f, const struct beff *b, const struct beff_partition *p)
{
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
		fprintf(f,
			"\n  total %s: %.3f MiB, %.1f %% of the memory, in %.1f s including %.1f s "
			"of sync; scheduled %.1f s",
			beff_access_names[a], p->bytes[a] / MIB,
			100.0 * p->bytes[a] / (b->memory * p->shape.ranks), p->ns[a] / 1e9,
			p->sync_ns[a] / 1e9, beff_access_scheduled_ns(b, a) / 1e9);
		if (isnan(p->weighted[a]))
			continue;
		fprintf(f, "; weighted average");
		print_rate(f, "", p->weighted[a]);
	}
	fprintf(f, "\n  b_eff_io of these measurements");
	print_rate(f, "", b->version_1 ? p->value_1 : p->value);
	fprintf(f, " on %u process%s with %llu MiB/PE and scheduled time=%.1f min\n",
		p->shape.ranks, num_word(p->shape.ranks, "", "es"),
		(unsigned long long)(b->memory >> 20), b->partition_seconds / 60.0);
	if (!isnan(p->value_1)) {
		fprintf(f, "  as version %s defines it:", b->version_1 ? "2.x" : "1.x");
		print_rate(f, "", b->version_1 ? p->value : p->value_1);
		fputc('\n', f);
	}
	if (p->checked_bytes)
		fprintf(f, "  all bytes: %.3f MiB, %llu wrong chunk%s\n", p->checked_bytes / MIB,
			(unsigned long long)p->wrong, num_word(p->wrong, "", "s"));
}

static void partition_text(FILE *f, const struct beff *b, const struct beff_partition *p)
{
	struct table *t = table_new(3);

	summary_titles(t);
	for (enum beff_chunk c = 0; c < BEFF_CURVE; c++)
		summary_rows(t, p, c);
	summary_rows(t, p, BEFF_CHUNKS);
	fprintf(f, "\n");
	table_text(f, t, "  ");
	table_free(t);
	fprintf(f, "  1M chunks, two per call:");
	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		print_rate(f, beff_access_names[a], pattern_bandwidth(p, a, BEFF_SCATTER, BEFF_2M));
	averages_text(f, b, p);
}

static void extension_row(struct table *t, const struct beff_partition *p, enum beff_extension e,
			  unsigned i)
{
	const struct beff_cell *c = &p->extended[e][i];
	char text[NUM_TEXT];

	if (!c->of.repetitions)
		return;
	table_cell(t, "%u", p->shape.ranks);
	table_cell(t, "%s", beff_chunk_names[beff_extended[i]]);
	table_cell(t, "%s", beff_extension_names[e]);
	beff_mib_cell(t, beff_bandwidth(c->bytes, c->of.ns));
	for (int layer = 0; layer < LAYERS; layer++)
		table_cell(t, "%s", num_count_text(text, layers_json_bps(c->layers, layer)));
	table_cell(t, "%llu", (unsigned long long)c->of.errors);
	table_end_row(t);
}

static void extensions_text(FILE *f, const struct beff *b)
{
	static const char *const columns[] = {
		"PEs", "chunk", "read", "MiB/s", "BPS app", "BPS vfs", "BPS device", "errors", NULL,
	};
	struct table *t = table_titled(3, columns);

	for (unsigned i = 0; i < b->partitions_n; i++)
		for (enum beff_extension e = BEFF_RANDOM; e < BEFF_EXTENSIONS; e++)
			for (unsigned k = 0; k < BEFF_EXTENDED; k++)
				extension_row(t, &b->partitions[i], e, k);
	fprintf(f, "\nextensions (not part of b_eff_io):\n");
	table_text(f, t, "  ");
	table_free(t);
}

static void criteria_text(FILE *f, const struct beff *b)
{
	fprintf(f, "\n%s for comparison of different systems:\n", b->valid ? "VALID" : "NOT VALID");
	for (unsigned i = 0; i < b->criteria_n; i++) {
		const struct beff_criterion *c = &b->criteria[i];

		fprintf(f, "  %-3s %s: %.6g, required %s %.6g%s\n", beff_meets(c) ? "yes" : "no",
			c->text, c->value, c->at_most ? "<=" : ">=", c->limit,
			c->decides ? "" : " (does not decide)");
	}
}

static void hints_text(FILE *f, const struct beff_hints *h)
{
	if (h->n) {
		out_line_format(f, "hints of %s:", h->path);
		fputc('\n', f);
	}
	for (unsigned i = 0; i < h->n; i++) {
		const struct beff_hint_line *l = &h->lines[i];

		fprintf(f, l->ranks ? "  %u" : "  all", l->ranks);
		out_line_format(f, " %s %s %s %s %s",
				l->access < 0 ? "all" : beff_access_names[l->access],
				l->type < 0 ? "all" : beff_type_names[l->type],
				beff_hint_chunk_name(l->chunk), l->hint.key, l->hint.value);
		fputc('\n', f);
	}
}

static void how_text(FILE *f, const struct beff *b)
{
	out_line_format(f, "bench beff %s", b->target);
	fprintf(f,
		": b_eff_io revision 2.1, engine %s, T=%llu s, "
		"MPART=%llu%s%s%s%s\n",
		b->engine->name, (unsigned long long)b->seconds, (unsigned long long)b->setup.mpart,
		b->rewrite_all ? ", all types rewritten" : "",
		b->repeated		   ? ", repetitions of an earlier run" :
			b->setup.geometric ? ", geometric series" :
					     "",
		b->setup.collective ? "" : ", no collective buffering",
		b->setup.shared_pointer ? "" : ", no shared pointer");
	fprintf(f, "took %.1f s", b->elapsed_ns / 1e9);
	if (b->check_ns)
		fprintf(f, ", including %.1f s to check all bytes", b->check_ns / 1e9);
	fputc('\n', f);
	if (b->keep) {
		out_line_format(f, "files are kept in %s", b->setup.dir);
		fputc('\n', f);
	}
	hints_text(f, &b->hints);
	fprintf(f, "deviations from 2.1:\n");
	for (const char *const *d = beff_deviations; *d; d++)
		fprintf(f, "  %s\n", *d);
}

void beff_summary(FILE *f, const struct beff *b)
{
	fprintf(f, "\n");
	how_text(f, b);
	for (unsigned i = 0; i < b->partitions_n; i++)
		partition_text(f, b, &b->partitions[i]);
	if (b->extend)
		extensions_text(f, b);
	criteria_text(f, b);
	if (b->traced && b->layers.m) {
		const struct report report = { .m = b->layers.m, .options = &b->layers.options };

		show_evidence_text(f, &report);
	}
	if (b->untraced)
		note(f, "only the app layer is measured: %s", b->untraced);
	if (b->end != BEFF_DONE)
		note(f, "incomplete result: %s",
		     b->end == BEFF_SIGNAL ? "interrupted" : "ended by an error");
	fprintf(f, "\nb_eff_io");
	print_rate(f, "", b->value);
	fprintf(f, " on %u process%s\n", b->partitions[b->best].shape.ranks,
		num_word(b->partitions[b->best].shape.ranks, "", "es"));
}
