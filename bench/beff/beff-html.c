// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots the bandwidth of b_eff_io over the chunk size, as in the figures of the b_eff_io paper. The
 * distances between chunk sizes on the axis are nearly logarithmic. A partition is a group of
 * processes. The type of a pattern is the arrangement of the chunks in the files. */
#include "user/base/num.h"
#include "bench/beff/beff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/plot.h"

#define HEIGHT 420
#define MIB 1048576.0

/* positions of the chunk sizes on the x axis; the last three sizes (2M, first, filler) are not in
 * the figures of the paper */
static const int chunk_x[BEFF_CHUNKS] = { 1, 2, 4, 5, 7, 8, 10, 12, 13, 14 };
static const char *const colours[] = { "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd" };
#define COLOURS (sizeof(colours) / sizeof(*colours))

/* One curve of a plot: the bandwidth of one access method and pattern type at each chunk size. */
struct line {
	enum beff_access access;
	enum beff_type type;
	const char *name;
};

/* The y axis of a diagram, and the function that computes its values. The x axis has the first
 * .chunks chunk sizes. .low and .high are the ends of the y axis. */
struct scale {
	const char *title, *unit;
	double low, high;
	unsigned chunks;
	double (*value)(const struct beff_cell *c);
};

static double mib_per_second(const struct beff_cell *c)
{
	return beff_bandwidth(c->bytes, c->of.ns) / MIB;
}

static double device_bps(const struct beff_cell *c)
{
	return c->of.repetitions ? c->device_bps : NAN;
}

static const struct scale bandwidth = { "", "MiB/s", 0.1, 1e5, BEFF_CURVE, mib_per_second };
static const struct scale device = { "BPS device, ", "BPS", 100, 1e8, BEFF_CHUNKS, device_bps };

/* Returns the y value of a curve at a chunk size; NaN: there is none. */
static double line_value(const struct scale *y, const struct beff_partition *p,
			 const struct line *line, enum beff_chunk c)
{
	unsigned pattern = beff_find(line->type, c);

	return pattern < BEFF_PATTERNS ? y->value(&p->cells[line->access][pattern]) : NAN;
}

static void print_data(FILE *s, const struct scale *y, const struct beff_partition *p,
		       const struct line *lines, unsigned n)
{
	fprintf(s, "$D << EOD\n");
	for (enum beff_chunk c = 0; c < y->chunks; c++) {
		fprintf(s, "%d", chunk_x[c]);
		for (unsigned i = 0; i < n; i++)
			fprintf(s, " %.15g", line_value(y, p, &lines[i], c));
		fputc('\n', s);
	}
	fprintf(s, "EOD\n");
}

static void print_axes(FILE *s, const struct scale *y)
{
	fprintf(s,
		"set logscale y\nset yrange [%g:%g]\nset format y '%%g'\n"
		"set ylabel '%s'\nset lmargin 12\nset rmargin 18\nset xrange [0.5:%g]\n"
		"set xlabel 'chunk'\n"
		"set xtics (",
		y->low, y->high, y->unit, chunk_x[y->chunks - 1] + 0.5);
	for (enum beff_chunk c = 0; c < y->chunks; c++)
		fprintf(s, "%s'%s' %d", c ? ", " : "", beff_chunk_names[c], chunk_x[c]);
	fprintf(s, ")\n");
}

/* Draws a diagram of one partition. Its title contains @name and, if @hints is not NULL, @hints. */
static int diagram(FILE *f, const struct scale *y, const struct beff_partition *p, const char *name,
		   const char *hints, const struct line *lines, unsigned n)
{
	char *title = need_text("%s%s%s%s", y->title, name, hints ? ", hints " : "", hints ?: "");
	struct plot plot;
	FILE *s = plot_begin(&plot, HEIGHT, title);

	free(title);
	if (!s)
		return -EIO;
	print_data(s, y, p, lines, n);
	print_axes(s, y);
	fprintf(s, "plot ");
	for (unsigned i = 0; i < n; i++)
		fprintf(s,
			"%s$D using 1:%u with linespoints linewidth 2 pointtype 7 pointsize 0.5 "
			"linecolor rgb '%s' title '%s'",
			i ? ", " : "", i + 2, colours[i], lines[i].name);
	fprintf(s, "\n");
	return plot_end(&plot, f);
}

static bool line_has_data(const struct scale *y, const struct beff_partition *p,
			  const struct line *line)
{
	bool any = false;

	for (enum beff_chunk c = 0; c < y->chunks; c++)
		any |= !isnan(line_value(y, p, line, c));
	return any;
}

static int by_access(FILE *f, const struct scale *y, const struct beff_partition *p,
		     enum beff_access access, const char *hints)
{
	struct line lines[BEFF_TYPES], line = { .access = access };
	unsigned n = 0;

	for (line.type = 0; line.type < BEFF_TYPES; line.type++) {
		line.name = beff_type_names[line.type];
		if (line_has_data(y, p, &line))
			lines[n++] = line;
	}
	return n ? diagram(f, y, p, beff_access_names[access], hints, lines, n) : 0;
}

static int by_type(FILE *f, const struct beff_partition *p, enum beff_type type, const char *hints)
{
	struct line lines[BEFF_ACCESSES], line = { .type = type };
	unsigned n = 0;

	for (line.access = 0; line.access < BEFF_ACCESSES; line.access++) {
		line.name = beff_access_names[line.access];
		if (line_has_data(&bandwidth, p, &line))
			lines[n++] = line;
	}
	return n ? diagram(f, &bandwidth, p, beff_type_names[type], hints, lines, n) : 0;
}

/* Returns the hints of run @i for the title of a diagram. Returns NULL if there is only one run. */
static const char *hints_of(struct beff *const *runs, unsigned i)
{
	return runs[1] ? runs[i]->hints.path ?: "none" : NULL;
}

static int by_accesses(FILE *f, const struct scale *y, struct beff *const *runs, unsigned i)
{
	int ret = 0;

	for (enum beff_access a = 0; a < BEFF_ACCESSES; a++)
		for (unsigned r = 0; runs[r] && !ret; r++)
			ret = by_access(f, y, &runs[r]->partitions[i], a, hints_of(runs, r));
	return ret;
}

/* Draws diagrams of partition number @i of all runs. Diagrams of different runs are next to each
 * other, so that the effect of their hints can be compared (b_eff_io paper, figure 7). */
static int partition_plots(FILE *f, struct beff *const *runs, unsigned i)
{
	unsigned ranks = runs[0]->partitions[i].shape.ranks;
	int ret;

	fprintf(f, "<h2>plots of %u process%s</h2>\n", ranks, num_word(ranks, "", "es"));
	ret = by_accesses(f, &bandwidth, runs, i);
	for (enum beff_type t = 0; t < BEFF_TYPES; t++)
		for (unsigned r = 0; runs[r] && !ret; r++)
			ret = by_type(f, &runs[r]->partitions[i], t, hints_of(runs, r));
	return ret ?: by_accesses(f, &device, runs, i);
}

/* Writes the gnuplot block $D@i, with a line for each partition: its number of processes and its
 * b_eff_io. Widens the range from *@least to *@most, so that it contains these numbers of
 * processes. Returns true if b_eff_io is known for a partition. */
static bool print_partitions(FILE *s, const struct beff *b, unsigned i, unsigned *least,
			     unsigned *most)
{
	bool any = false;

	fprintf(s, "$D%u << EOD\n", i);
	for (unsigned k = 0; k < b->partitions_n; k++) {
		unsigned ranks = b->partitions[k].shape.ranks;
		double value = beff_value(b, &b->partitions[k]);

		if (isnan(value))
			continue;
		fprintf(s, "%u %.15g\n", ranks, value / MIB);
		*least = ranks < *least ? ranks : *least;
		*most = ranks > *most ? ranks : *most;
		any = true;
	}
	fprintf(s, "EOD\n");
	return any;
}

static bool has_several_sizes(struct beff *const *runs)
{
	bool several = false;

	for (unsigned i = 0; runs[i]; i++)
		for (unsigned k = 0; k < runs[i]->partitions_n; k++)
			several |= !isnan(beff_value(runs[i], &runs[i]->partitions[k])) &&
				runs[i]->partitions[k].shape.ranks !=
					runs[0]->partitions[0].shape.ranks;
	return several;
}

int beff_processes_plot(FILE *f, struct beff *const *runs, char *const *names)
{
	const char *between = "plot ";
	unsigned least = ~0u, most = 0;
	struct plot plot;
	FILE *s;

	if (!has_several_sizes(runs))
		return 0;
	s = plot_begin(&plot, HEIGHT, "result by number of processes (figures 2 and 5)");
	if (!s)
		return -EIO;
	for (unsigned i = 0; runs[i]; i++)
		print_partitions(s, runs[i], i, &least, &most);
	plot_log_scale(s, "x", least / 1.1, most * 1.1, 10);
	/* An empty second line of the label keeps the legend away from the first line. */
	fputs(PLOT_KEY_BELOW "set yrange [0:*]\nset ylabel 'MiB/s'\n"
			     "set xlabel \"processes\\n\" offset 0,0.5\n",
	      s);
	for (unsigned i = 0; runs[i]; i++, between = ", ") {
		fprintf(s,
			"%s$D%u using 1:2 smooth unique with linespoints linewidth 2 pointtype 7 "
			"pointsize 0.5 linecolor rgb '%s' title ",
			between, i, colours[i % COLOURS]);
		plot_text(s, names[i]);
	}
	fputc('\n', s);
	return plot_end(&plot, f);
}

/* Draws b_eff_io of all runs against the number of processes. */
static int runs_plot(FILE *f, struct beff *const *runs)
{
	char **names = NULL;
	unsigned n = 0;
	int ret;

	for (; runs[n]; n++) {
		names = need(reallocarray(names, n + 1, sizeof(*names)));
		names[n] = (char *)(hints_of(runs, n) ?: beff_result_name(runs[n]));
	}
	ret = beff_processes_plot(f, runs, names);
	free(names);
	return ret;
}

int beff_plots(FILE *f, const void *of)
{
	struct beff *const *runs = of;
	int ret = runs_plot(f, runs);

	for (unsigned i = 0; i < runs[0]->partitions_n && !ret; i++)
		ret = partition_plots(f, runs, i);
	return ret;
}
