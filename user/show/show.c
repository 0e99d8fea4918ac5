// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences of a report, and functions that answer questions about it, such as which layers have
 * numbers. A loss is a number of accesses that were not measured as they should be. T is the time
 * in which at least one access was in flight. */
#include "user/show/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/metric/measurement.h"

bool report_has_layer(const struct report *r, int layer)
{
	return r->options->layers & (1u << layer);
}

bool report_sees(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (layer != LAYER_APP || !report_has_layer(r, layer))
		return report_has_layer(r, layer);
	return r->m->app_programs || r->m->app_ring.row.accesses;
}

const char *report_charge(const struct report *r)
{
	if (r->options->attribution == BY_TASK)
		return "task";
	return strcmp(r->options->charged.path, r->options->target.path) ? "blkio v1" : "io v2";
}

const char *report_backend(const struct report *r, int layer)
{
	/* The second text applies if page faults are measured, too, because fentry measures
	 * them. */
	static const char *const by[][2] = {
		[VFS_BY_TRACEPOINT] = { "tracepoint", "tracepoint, fentry" },
		[VFS_BY_KPROBE] = { "kprobe", "kprobe, fentry" },
		[VFS_BY_FENTRY] = { "fentry", "fentry" },
	};

	if (r->backends)
		return r->backends[layer];
	if (!report_has_layer(r, layer))
		return NULL;
	if (layer == LAYER_APP)
		return r->library ? "preload, ring" : "ring";
	if (layer == LAYER_VFS)
		return by[r->options->backend][r->options->faults];
	return "tp_btf";
}

bool disk_is_used(const struct disk_sum *d)
{
	for (int op = 0; op < DEVICE_OPS; op++)
		if (d->ops[op].row.accesses || d->ops[op].span_ns)
			return true;
	return false;
}

/* Limit of the bytes that accesses of one layer move at a lower layer: COPIES times the bytes of
 * the accesses, plus EXTRA_BYTES per access. COPIES allows for mirrors. EXTRA_BYTES allows for
 * read-ahead and metadata. */
#define COPIES 4
#define EXTRA_BYTES (1 << 20)

double show_amplification(const struct sum *lower, const struct sum *upper)
{
	double below = lower->row.bytes, above = upper->row.bytes;

	if (above <= 0 || below > COPIES * above + (double)upper->row.accesses * EXTRA_BYTES)
		return NAN;
	return below / above;
}

double report_amplification(const struct report *r, int lower, int upper)
{
	if (!report_sees(r, lower) || !report_sees(r, upper))
		return NAN;
	return show_amplification(&r->m->layers[lower], &r->m->layers[upper]);
}

/* ---- sentences ---- */

#define ESTIMATES_SHOWN 8 /* maximum number of disks in the sentence about estimated T */

char *show_backends(const struct report *r)
{
	char *text = need_text("%s", "");

	for (int i = 0; i <= LAYERS; i++) {
		const char *by = i < LAYERS ? report_backend(r, i) :
			r->backends	    ? NULL :
					      report_charge(r);
		char *before = text;

		if (!by)
			continue;
		text = need_text("%s%s%s %s", before, *before ? "; " : "",
				 i < LAYERS ? layer_names[i] : "device I/O attributed by", by);
		free(before);
	}
	return text;
}

/* Returns @percent with 2 digits and without an exponent. The caller frees it. */
static char *percent_text(double percent)
{
	if (percent < 0.01)
		return need_text("less than 0.01 %%");
	/* %.2g prints 99.5 as 1e+02 */
	return percent < 99.5 ? need_text("%.2g %%", percent) : need_text("100 %%");
}

char *show_loss_text(const struct loss *l, u64 device_accesses)
{
	char *text = loss_text(l->name, l->n), *line, *percent;

	if (device_accesses && !strcmp(l->name, "completions")) {
		percent = percent_text(100.0 * l->n / device_accesses);
		line = need_text("lost: %s, %s of the accesses", text, percent);
		free(percent);
	} else {
		line = need_text("lost: %s", text);
	}
	free(text);
	return line;
}

/* Adds a text such as "device 0.178 %": the fraction of T of @s that is estimated. Adds nothing if
 * this fraction is 0. */
static void add_estimated(FILE *f, const char *name, const struct sum *s)
{
	double percent = metric_value(s, "span_repaired_fraction") * 100;

	if (percent > 0)
		fprintf(f, percent < 0.01 ? "%s %s below 0.01 %%" : "%s %s %.3g %%",
			ftell(f) ? "," : "", name, percent);
}

/* Returns the fractions of T that are estimated, such as " device 0.178 %, vda 0.2 %". The text is
 * empty if no completions were lost. The caller frees it. */
static char *estimated_list(const struct measurement *m)
{
	char *list = NULL;
	size_t size;
	FILE *f = need(open_memstream(&list, &size));

	for (int layer = 0; layer < LAYERS; layer++)
		add_estimated(f, layer_names[layer], &m->layers[layer]);
	for (unsigned i = 0; i < m->disks_n && i < ESTIMATES_SHOWN; i++)
		add_estimated(f, m->disks[i].name, &m->disks[i].all);
	fclose(f);
	return need(list);
}

char *show_estimated_text(const struct measurement *m)
{
	char *list = estimated_list(m), *text;

	text = *list ? need_text("lost: ends of accesses; T marked " METRIC_ESTIMATED
				 " is estimated in part:%s",
				 list) :
		       NULL;
	free(list);
	return text;
}

char *show_losses_line(const struct measurement *m)
{
	char *line = NULL, *estimated = estimated_list(m);
	size_t size;
	FILE *f = need(open_memstream(&line, &size));

	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = l->n ? loss_text(l->name, l->n) : NULL;

		if (text)
			fprintf(f, "%s%s", ftell(f) ? "; " : "lost: ", text);
		free(text);
	}
	if (ftell(f) && *estimated)
		fprintf(f, "; estimated part of T:%s", estimated);
	fclose(f);
	free(estimated);
	return need(line);
}

void show_losses_text(FILE *f, const struct measurement *m)
{
	u64 device = m->layers[LAYER_DEVICE].row.accesses;
	char *estimated = show_estimated_text(m);

	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l, device) : NULL;

		if (text)
			fprintf(f, "  %s\n", text);
		free(text);
	}
	if (estimated)
		fprintf(f, "  %s\n", estimated);
	free(estimated);
}
